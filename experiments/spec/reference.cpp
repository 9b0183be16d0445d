#include "experiments/spec/reference.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/spec/describe.h"
#include "experiments/spec/sweep_spec.h"

namespace attnlab::spec {
namespace {

constexpr const char* kIntroduction = R"(# The spec: every key

This page is written by `attnlab spec reference`, and a test compares it with the reader. `attnlab spec schema` prints the same
as a JSON schema for editors, `attnlab list` every name that can be chosen.

## Rules

- A file is one JSON object in UTF-8. Comments, a key that stands twice, unknown keys, wrong types and impossible combinations are
  refused before anything starts, with the place in the file, what was expected and the nearest known key.
- A whole number is accepted where a number is expected, and 8.0 where 8 is. Nothing else is converted: `"8"` is no number, `1` is not
  true. Seeds go from 0 to 9223372036854775807 and are exact.
- Paths in the settings of a run start from the working directory; a path as `base` starts from the folder of the spec.
- In `grid`, `zip`, `variants`, `include`, `exclude`, `set`, `baseline`, `--set` and `--sweep`, keys are dotted: `model.norm.placement`.
- A shorthand stands for several keys. A longer key of the same object beats it: `{"model.dropout": 0.1, "model.dropout.attention": 0}`.
- `--set key=value` beats the file: in a sweep it fixes the key in every cell and drops an axis of that key. `--set` also takes `name`,
  `description`, `seeds`, `seed` (one seed), `metric`, `baseline`, `run_cap` and `on_divergence`. The value is JSON; what is no JSON is a text.
- `--sweep key=v1,v2` puts an axis into `grid`, in place of one of the same key.
- The cells of a sweep are variants × grid × zip without what `exclude` names, and then `include`. Two cells that come to the same
  settings are refused. Each cell is run once for each seed.
- The identity of a run, the 8 hex digits in its folder's name, is a hash of all settings below without the seed, and of the data and
  tokenizer files that it reads.
- A key that is marked "added later" is left out of that hash while it has its default, so that runs from before the key keep their
  names. No key's default changes from one version to the next.
)";

/// Text for a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char letter : text) escaped += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return escaped;
}

std::string code(const std::string& text) {
  return text.empty() ? "" : "`" + text + "`";
}

std::string type_of(const Field& field) {
  const char* const types[] = {"whole number", "number", "true/false", "text", "list of texts"};
  return types[field.member.index()];
}

std::string default_of(const Field& field) {
  return std::visit([](const auto* member) { return Json(*member).dump(); }, field.member);
}

/// "of at least 1 and at most 10" for numbers, names for choices.
std::string allowed(const Field& field) {
  std::string words = field.expected();
  if (!field.choices.empty()) {
    std::vector<std::string> names;
    for (const Choice& choice : field.choices) names.push_back(code(choice.name.empty() ? "\"\"" : choice.name));
    return fmt::format("{}", fmt::join(names, ", "));
  }
  for (const char* type : {"a whole number", "a number", "true or false", "one of "}) {
    if (words.starts_with(type)) words = words.substr(std::string_view(type).size());
  }
  const size_t first = words.find_first_not_of(' ');
  return first == std::string::npos || words == "a text" ? "any" : words.substr(first);
}

std::string meaning_of(const Field& field) {
  return field.meaning + (field.is_added ? " (added later)" : "");
}

std::string section(const std::string& path) {
  const size_t dot = path.find('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

void write_sweep_keys(std::string& page) {
  page += "\n## A sweep (`attnlab plan`, `attnlab run`)\n\n| key | type | default | meaning |\n|---|---|---|---|\n";
  for (const SweepKey& key : sweep_keys()) {
    page += fmt::format("| `{}` | {} | {} | {} |\n", key.name, cell(key.type),
                        key.initial.starts_with("the ") ? key.initial : code(key.initial), cell(key.meaning));
  }
}

void write_fields(std::string& page, const Table& table) {
  page += "\n## A run (`base` of a sweep, or the file of `attnlab train`)\n";
  std::string open = "none";
  for (const Field& field : table.fields) {
    if (section(field.path) != open) {
      open = section(field.path);
      if (!open.empty()) page += fmt::format("\n### {}\n", open);
      page += "\n| key | type | allowed | default | meaning |\n|---|---|---|---|---|\n";
    }
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", field.path, type_of(field), cell(allowed(field)),
                        code(default_of(field)), cell(meaning_of(field)));
  }
}

void write_shorthands(std::string& page, const Table& table) {
  page += "\n### Shorthands\n\n| key | stands for | meaning |\n|---|---|---|\n";
  for (const Shorthand& shorthand : table.shorthands) {
    page += fmt::format("| `{}` | `{}` | {} |\n", shorthand.path, fmt::join(shorthand.targets, "`, `"),
                        cell(shorthand.meaning));
  }
}

void write_choices(std::string& page) {
  page += "\n## Names\n";
  for (const ChoiceGroup& group : choice_groups()) {
    page += fmt::format("\n### `{}`\n\n| name | meaning |\n|---|---|\n", group.path);
    for (const Choice& choice : group.choices) {
      page += fmt::format("| {} | {} |\n", code(choice.name.empty() ? "\"\"" : choice.name), cell(choice.meaning));
    }
  }
}

}  // namespace

std::string reference() {
  RunConfig config;
  return reference(describe(config));
}

std::string reference(const Table& table) {
  std::string page = kIntroduction;
  write_sweep_keys(page);
  write_fields(page, table);
  write_shorthands(page, table);
  write_choices(page);
  return page;
}

}  // namespace attnlab::spec
