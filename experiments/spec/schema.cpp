#include "experiments/spec/schema.h"

#include <limits>
#include <stdexcept>

#include "experiments/spec/describe.h"
#include "experiments/spec/metrics.h"
#include "experiments/spec/sweep_spec.h"

namespace attnlab::spec {
namespace {

Json names(const std::vector<Choice>& choices) {
  Json list = Json::array();
  for (const Choice& choice : choices) list.push_back(choice.name);
  return list;
}

void add_bounds(Json& schema, const Field& field) {
  if (field.minimum) schema["minimum"] = *field.minimum;
  if (field.above) schema["exclusiveMinimum"] = *field.above;
  if (field.maximum) schema["maximum"] = *field.maximum;
  if (field.below) schema["exclusiveMaximum"] = *field.below;
}

/// What one value may be, by the type of its member.
struct Allowed {
  const Field& field;

  Json operator()(const int64_t*) const {
    Json schema = Json::object({{"type", "integer"}});
    add_bounds(schema, field);
    if (!field.maximum) schema["maximum"] = std::numeric_limits<int64_t>::max();
    return schema;
  }
  Json operator()(const double*) const {
    Json schema = Json::object({{"type", "number"}});
    add_bounds(schema, field);
    return schema;
  }
  Json operator()(const bool*) const { return Json::object({{"type", "boolean"}}); }
  Json operator()(const std::string*) const {
    Json schema = Json::object({{"type", "string"}});
    if (!field.choices.empty()) schema["enum"] = names(field.choices);
    if (!field.pattern.empty()) schema["pattern"] = field.pattern;
    if (field.shortest > 0) schema["minLength"] = field.shortest;
    return schema;
  }
  Json operator()(const std::vector<std::string>*) const {
    Json items = {{"type", "string"}, {"minLength", 1}};
    if (!field.choices.empty()) items["enum"] = names(field.choices);
    Json schema = {{"type", "array"}, {"items", items}, {"uniqueItems", true}};
    if (field.shortest > 0) schema["minItems"] = field.shortest;
    return schema;
  }
};

/// Builds the schemas of values, groups and shorthands from the table.
class Builder {
 public:
  Builder() : table_(describe(config_)) {}

  /// What may stand under a dotted path.
  Json value(const std::string& path) const {
    if (const Field* field = table_.find(path)) {
      Json schema = std::visit(Allowed{*field}, field->member);
      schema["description"] = field->meaning;
      if (path != "seed")
        schema["default"] = std::visit([](const auto* member) { return Json(*member); }, field->member);
      return schema;
    }
    const Shorthand* shorthand = table_.find_shorthand(path);
    if (shorthand == nullptr) return table_.is_group(path) ? group(path) : below_shorthand(path);
    Json schema = value(shorthand->targets.front());
    schema.erase("default");
    schema["description"] = shorthand->meaning;
    if (!table_.is_group(path)) return schema;
    return Json::object({{"anyOf", Json::array({schema, group(path)})}});
  }

  /// Objects of dotted path -> value, where `wrap` turns the schema of a value into that of the entry.
  template <typename Wrap>
  Json changes(const Wrap& wrap) const {
    Json properties = Json::object();
    for (const std::string& path : table_.all_paths()) {
      if (path != "seed") properties[path] = wrap(value(path));
    }
    // Whole groups may be changed too: {"model.norm": {...}}.
    for (const std::string& path : groups()) properties[path] = wrap(value(path));
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  }

  Json group(const std::string& path) const {
    Json properties = Json::object();
    for (const std::string& key : table_.keys_below(path))
      properties[key] = value(path.empty() ? key : path + "." + key);
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  }

 private:
  /// "model.positions.type" is what "model.encoder_positions.type" is.
  Json below_shorthand(const std::string& path) const {
    for (const Shorthand& shorthand : table_.shorthands) {
      if (path.starts_with(shorthand.path + "."))
        return value(shorthand.targets.front() + path.substr(shorthand.path.size()));
    }
    throw std::logic_error("no key " + path);
  }

  std::vector<std::string> groups() const {
    std::vector<std::string> found;
    const auto visit = [&](const auto& self, const std::string& path) -> void {
      for (const std::string& key : table_.keys_below(path)) {
        const std::string below = path.empty() ? key : path + "." + key;
        const Shorthand* shorthand = table_.find_shorthand(below);
        const bool stands_for_group = shorthand != nullptr && table_.is_group(shorthand->targets.front());
        if (table_.is_group(below) || stands_for_group) found.push_back(below);
        if (table_.is_group(below)) self(self, below);
      }
    };
    visit(visit, "");
    return found;
  }

  RunConfig config_;
  Table table_;
};

Json text() {
  return {{"type", "string"}, {"minLength", 1}};
}

Json list_of(const Json& item) {
  return {{"type", "array"}, {"items", item}};
}

Json reference_to(const char* name) {
  return Json::object({{"$ref", std::string("#/definitions/") + name}});
}

Json with_variant(Json cell) {
  cell["properties"]["variant"] = text();
  cell["minProperties"] = 1;
  return cell;
}

Json definitions(const Builder& builder) {
  const auto as_list = [](const Json& value) { return Json{{"type", "array"}, {"items", value}, {"minItems", 1}}; };
  const auto as_axis = [&](const Json& value) {
    Json list = as_list(value);
    list["uniqueItems"] = true;
    return list;
  };
  const auto as_value = [](const Json& value) { return value; };
  return {{"run", builder.group("")},
          {"changes", builder.changes(as_value)},
          {"cell", with_variant(builder.changes(as_value))},
          {"grid", builder.changes(as_axis)},
          {"zip", builder.changes(as_list)}};
}

Json seeds() {
  const Json seed = {{"type", "integer"}, {"minimum", 0}, {"maximum", std::numeric_limits<int64_t>::max()}};
  Json list = list_of(seed);
  list["minItems"] = 1;
  list["uniqueItems"] = true;
  return Json::object({{"anyOf", Json::array({list, {{"type", "integer"}, {"minimum", 1}, {"maximum", 10'000}}})}});
}

Json variants() {
  const Json entry = {{"type", "object"},
                      {"properties", {{"name", text()}, {"set", reference_to("changes")}}},
                      {"required", Json::array({"name"})},
                      {"additionalProperties", false}};
  const Json named = {{"type", "object"},
                      {"propertyNames", Json::object({{"minLength", 1}})},
                      {"additionalProperties", reference_to("changes")}};
  return Json::object({{"anyOf", Json::array({list_of(entry), named})}});
}

Json metric() {
  const Json goal = {{"type", "string"}, {"enum", Json::array({"maximize", "minimize"})}};
  return {{"type", "object"},
          {"properties", {{"name", {{"type", "string"}, {"enum", names(metric_names())}}}, {"goal", goal}}},
          {"additionalProperties", false}};
}

Json published() {
  Json properties = {{"cell", reference_to("cell")}};
  for (const Choice& metric : metric_names()) properties[metric.name] = {{"type", "number"}};
  const Json row = {{"type", "object"},
                    {"properties", properties},
                    {"required", Json::array({"cell"})},
                    {"minProperties", 2},
                    {"additionalProperties", false}};
  Json rows = list_of(row);
  rows["minItems"] = 1;
  const Json full = {{"type", "object"},
                     {"properties", {{"source", text()}, {"rows", rows}}},
                     {"required", Json::array({"source", "rows"})},
                     {"additionalProperties", false}};
  return Json::object({{"anyOf", Json::array({full, {{"type", "object"}, {"maxProperties", 0}}})}});
}

/// The schema of a top-level key.
Json top_level(const std::string& key) {
  if (key == "base") return Json::object({{"anyOf", Json::array({reference_to("run"), text()})}});
  if (key == "seeds") return seeds();
  if (key == "grid") return reference_to("grid");
  if (key == "zip") return reference_to("zip");
  if (key == "variants") return variants();
  if (key == "include" || key == "exclude") return list_of(reference_to("cell"));
  if (key == "set") return reference_to("changes");
  if (key == "metric") return metric();
  if (key == "baseline")
    return Json::object({{"anyOf", Json::array({reference_to("cell"), {{"type", "object"}, {"maxProperties", 0}}})}});
  if (key == "published") return published();
  if (key == "run_cap") return {{"type", "integer"}, {"minimum", 1}, {"maximum", 100'000}};
  if (key == "on_divergence") return {{"type", "string"}, {"enum", Json::array({"fail", "record"})}};
  return key == "name" ? text() : Json::object({{"type", "string"}});
}

}  // namespace

std::string schema() {
  const Builder builder;
  Json properties = Json::object();
  for (const SweepKey& key : sweep_keys()) {
    const Json type = top_level(key.name);
    // Draft-07 ignores whatever stands beside a $ref, so the description goes around it.
    properties[key.name] = {{"description", key.meaning}, {"allOf", Json::array({type})}};
  }
  const Json root = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                     {"title", "attnlab sweep"},
                     {"type", "object"},
                     {"properties", properties},
                     {"additionalProperties", false},
                     {"definitions", definitions(builder)}};
  return root.dump(2) + "\n";
}

}  // namespace attnlab::spec
