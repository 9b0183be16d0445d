#include "experiments/spec/table.h"

#include <algorithm>

#include <fmt/format.h>

namespace attnlab::spec {
namespace {

std::string bounds(const Field& field) {
  std::string text;
  const auto add = [&text](const char* words, std::optional<double> bound) {
    if (bound) text += fmt::format("{}{} {}", text.empty() ? " " : " and ", words, *bound);
  };
  add("of at least", field.minimum);
  add("above", field.above);
  add("at most", field.maximum);
  add("below", field.below);
  return text;
}

/// The part of `path` one level below `group`, or "" if it is not below.
std::string child(const std::string& path, const std::string& group) {
  const std::string prefix = group.empty() ? "" : group + ".";
  if (path.size() <= prefix.size() || !path.starts_with(prefix)) return "";
  return path.substr(prefix.size(), path.find('.', prefix.size()) - prefix.size());
}

struct Expected {
  const Field& field;

  std::string operator()(const int64_t*) const { return "a whole number" + bounds(field); }
  std::string operator()(const double*) const { return "a number" + bounds(field); }
  std::string operator()(const bool*) const { return "true or false"; }
  std::string operator()(const std::string*) const {
    if (!field.choices.empty()) return "one of " + names_of(field.choices);
    if (!field.pattern_words.empty()) return field.pattern_words;
    return field.shortest > 0 ? "a text that is not empty" : "a text";
  }
  std::string operator()(const std::vector<std::string>*) const {
    const std::string items = field.choices.empty() ? "texts" : "texts out of " + names_of(field.choices);
    return (field.shortest > 0 ? "a list, not empty, of different " : "a list of different ") + items;
  }
};

}  // namespace

std::string Field::expected() const {
  return std::visit(Expected{*this}, member);
}

Field& Table::add(std::string path, Member member, std::string meaning) {
  Field& field = fields.emplace_back();
  field.path = std::move(path);
  field.member = member;
  field.meaning = std::move(meaning);
  return field;
}

void Table::add_shorthand(std::string path, std::vector<std::string> targets, std::string meaning) {
  shorthands.push_back({std::move(path), std::move(targets), std::move(meaning)});
}

const Field* Table::find(const std::string& path) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.path == path; });
  return found == fields.end() ? nullptr : &*found;
}

const Shorthand* Table::find_shorthand(const std::string& path) const {
  for (const Shorthand& shorthand : shorthands) {
    if (shorthand.path == path) return &shorthand;
  }
  return nullptr;
}

bool Table::is_group(const std::string& path) const {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return !child(field.path, path).empty(); });
}

std::vector<std::string> Table::keys_below(const std::string& group) const {
  std::vector<std::string> keys;
  const auto add = [&](const std::string& key) {
    if (!key.empty() && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  };
  for (const Field& field : fields) add(child(field.path, group));
  for (const Shorthand& shorthand : shorthands) add(child(shorthand.path, group));
  return keys;
}

std::vector<std::string> Table::all_paths() const {
  std::vector<std::string> paths;
  for (const Field& field : fields) paths.push_back(field.path);
  for (const Shorthand& shorthand : shorthands) {
    const std::string& target = shorthand.targets.front();
    if (find(target) != nullptr) paths.push_back(shorthand.path);
    for (const std::string& key : keys_below(target)) paths.push_back(shorthand.path + "." + key);
  }
  return paths;
}

}  // namespace attnlab::spec
