#include "experiments/spec/write.h"

#include <algorithm>

#include "experiments/spec/assign.h"
#include "experiments/spec/describe.h"

namespace attnlab::spec {
namespace {

/// The place of a dotted path inside `root`; objects on the way are made.
Json& descend(Json& root, const std::string& path) {
  Json* here = &root;
  size_t start = 0;
  for (size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', start)) {
    here = &(*here)[path.substr(start, dot - start)];
    start = dot + 1;
  }
  return (*here)[path.substr(start)];
}

Json value_of(const Field& field) {
  return std::visit([](const auto* member) { return Json(*member); }, field.member);
}

}  // namespace

Json to_json(const RunConfig& config) {
  RunConfig copy = config;
  Json root = Json::object();
  for (const Field& field : describe(copy).fields) descend(root, field.path) = value_of(field);
  return root;
}

Json canonical_json(const Table& table, const Table& defaults) {
  Json root = Json::object();
  for (const Field& field : table.fields) {
    const Json value = value_of(field);
    if (field.is_added && value == value_of(*defaults.find(field.path))) continue;
    descend(root, field.path) = value;
  }
  return root;
}

Json canonical_json(const RunConfig& config) {
  static RunConfig initial;
  static const Table defaults = describe(initial);
  RunConfig copy = config;
  return canonical_json(describe(copy), defaults);
}

Json value_at(const RunConfig& config, const std::string& path) {
  RunConfig copy = config;
  const Table table = describe(copy);
  if (const Field* field = table.find(path)) return value_of(*field);
  if (table.is_group(path) && table.find_shorthand(path) == nullptr) {
    Json group = Json::object();
    for (const std::string& key : table.keys_below(path)) group[key] = value_at(config, path + "." + key);
    return group;
  }
  for (const Shorthand& shorthand : table.shorthands) {
    if (path != shorthand.path && !path.starts_with(shorthand.path + ".")) continue;
    Json values = Json::array();
    for (const std::string& target : shorthand.targets)
      values.push_back(value_at(config, target + path.substr(shorthand.path.size())));
    const bool equal =
        std::all_of(values.begin(), values.end(), [&](const Json& value) { return value == values.front(); });
    return equal ? values.front() : values;
  }
  Place(path).refuse("there is no such key");
}

}  // namespace attnlab::spec
