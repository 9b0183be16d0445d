#include "experiments/spec/read.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/spec/assign.h"
#include "experiments/spec/describe.h"
#include "experiments/spec/validate.h"
#include "support/error.h"

namespace attnlab::spec {
namespace {

/// Whether `key` is a text, itself or through a shorthand.
bool is_text(const std::string& key) {
  RunConfig config;
  const Table table = describe(config);
  const auto text = [&table](const std::string& path) {
    const Field* field = table.find(path);
    return field != nullptr && std::holds_alternative<std::string*>(field->member);
  };
  if (text(key)) return true;
  for (const Shorthand& shorthand : table.shorthands) {
    if (key.starts_with(shorthand.path + "."))
      return text(shorthand.targets.front() + key.substr(shorthand.path.size()));
  }
  return key == "name" || key == "description" || key == "on_divergence";
}

/// JSON where it is JSON, otherwise the text itself.
Json value_of(const std::string& key, const std::string& text, const std::string& where) {
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_structured() || (value.is_string() && !value.is_discarded())) return parse_json(text, where);
  if (value.is_discarded() || (is_text(key) && !value.is_string())) value = text;
  try {
    value.dump();
  } catch (const Json::exception&) {
    throw Error(fmt::format("{}: the value is not valid UTF-8", where));
  }
  return value;
}

/// Splits at the first '='.
std::pair<std::string, std::string> split(const std::string& text, const std::string& option, const std::string& form) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(fmt::format("{} {}: expected {}", option, brief(text), form));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

Override parse_set(const std::string& text) {
  const auto [key, value] = split(text, "--set", "key=value, e.g. model.heads=8");
  return {key, value_of(key, value, "--set " + key)};
}

Override parse_sweep(const std::string& text) {
  const auto [key, values] = split(text, "--sweep", "key=v1,v2,..., e.g. model.heads=4,8");
  if (values.starts_with("[")) {
    const Json list = value_of(key, values, "--sweep " + key);
    if (list.is_array()) return {key, list};
  }
  Json list = Json::array();
  for (size_t start = 0; start <= values.size();) {
    const size_t comma = std::min(values.find(',', start), values.size());
    list.push_back(value_of(key, values.substr(start, comma - start), "--sweep " + key));
    start = comma + 1;
  }
  return {key, list};
}

RunConfig parse_run_config(const Json& json, const std::string& where, const Overrides& overrides) {
  if (!overrides.sweep.empty())
    throw Error(fmt::format("--sweep {}: one run has no axes; use `attnlab run`, or --set", overrides.sweep[0]));
  if (json.is_object() && (json.contains("base") || json.contains("grid"))) {
    throw Error(
        fmt::format("{}: this is the spec of a sweep; one run has the keys of its \"base\" (`attnlab run` writes each "
                    "run's, resolved, to runs/*/seed=*/config.json)",
                    where));
  }
  RunConfig config;
  const Table table = describe(config);
  apply(table, "", json, Place(where));
  for (const std::string& text : overrides.set) {
    const Override change = parse_set(text);
    apply(table, change.key, change.value, Place("--set " + change.key));
  }
  const std::vector<std::string> wrong = problems(config);
  if (!wrong.empty()) throw Error(fmt::format("{}: {}", where, fmt::join(wrong, fmt::format("\n{}: ", where))));
  return config;
}

RunConfig read_run_config(const std::filesystem::path& path, const Overrides& overrides) {
  return parse_run_config(read_json(path, "the configuration"), path.string(), overrides);
}

}  // namespace attnlab::spec
