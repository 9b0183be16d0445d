#include "tests/experiments/spec/schema_validator.h"

#include <algorithm>
#include <cmath>
#include <regex>
#include <stdexcept>

namespace attnlab::spec::tests {
namespace {

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "number") return value.is_number();
  if (type == "integer")
    return value.is_number() && (!value.is_number_float() || value == std::trunc(value.get<double>()));
  throw std::runtime_error("unknown type " + type);
}

/// Exact for 64-bit integers.
long double number(const Json& value) {
  if (value.is_number_unsigned()) return static_cast<long double>(value.get<uint64_t>());
  if (value.is_number_integer()) return static_cast<long double>(value.get<int64_t>());
  return static_cast<long double>(value.get<double>());
}

bool all_different(const Json& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (list[i] == list[j]) return false;
    }
  }
  return true;
}

bool members_valid(const Json& root, const Json& schema, const Json& value) {
  static const Json none = Json::object();
  const Json& properties = schema.contains("properties") ? schema["properties"] : none;
  for (const auto& [key, below] : value.items()) {
    if (schema.contains("propertyNames") && !is_valid(root, schema["propertyNames"], key)) return false;
    if (properties.contains(key)) {
      if (!is_valid(root, properties[key], below)) return false;
    } else if (schema.contains("additionalProperties")) {
      const Json& rest = schema["additionalProperties"];
      if (rest.is_boolean() ? !rest.get<bool>() : !is_valid(root, rest, below)) return false;
    }
  }
  return true;
}

bool obeys(const Json& root, const Json& schema, const std::string& keyword, const Json& rule, const Json& value) {
  const auto below = [&](const Json& part) { return is_valid(root, part, value); };
  if (keyword == "type") return has_type(value, rule.get<std::string>());
  if (keyword == "enum") return std::find(rule.begin(), rule.end(), value) != rule.end();
  if (keyword == "minimum") return !value.is_number() || number(value) >= number(rule);
  if (keyword == "maximum") return !value.is_number() || number(value) <= number(rule);
  if (keyword == "exclusiveMinimum") return !value.is_number() || number(value) > number(rule);
  if (keyword == "exclusiveMaximum") return !value.is_number() || number(value) < number(rule);
  if (keyword == "minLength") return !value.is_string() || value.get<std::string>().size() >= rule.get<size_t>();
  if (keyword == "pattern")
    return !value.is_string() || std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
  if (keyword == "minItems") return !value.is_array() || value.size() >= rule.get<size_t>();
  if (keyword == "uniqueItems") return !value.is_array() || !rule.get<bool>() || all_different(value);
  if (keyword == "items")
    return !value.is_array() ||
           std::all_of(value.begin(), value.end(), [&](const Json& item) { return is_valid(root, rule, item); });
  if (keyword == "minProperties") return !value.is_object() || value.size() >= rule.get<size_t>();
  if (keyword == "maxProperties") return !value.is_object() || value.size() <= rule.get<size_t>();
  if (keyword == "required")
    return !value.is_object() || std::all_of(rule.begin(), rule.end(),
                                             [&](const Json& key) { return value.contains(key.get<std::string>()); });
  if (keyword == "properties") return !value.is_object() || members_valid(root, schema, value);
  if (keyword == "additionalProperties" || keyword == "propertyNames")
    return !value.is_object() || members_valid(root, schema, value);
  if (keyword == "allOf") return std::all_of(rule.begin(), rule.end(), below);
  if (keyword == "anyOf") return std::any_of(rule.begin(), rule.end(), below);
  if (keyword == "$ref") return below(root.at(Json::json_pointer(rule.get<std::string>().substr(1))));
  for (const char* silent : {"description", "default", "title", "$schema", "definitions"}) {
    if (keyword == silent) return true;
  }
  throw std::runtime_error("the validator does not know the keyword " + keyword);
}

}  // namespace

bool is_valid(const Json& root, const Json& schema, const Json& value) {
  return std::all_of(schema.items().begin(), schema.items().end(),
                     [&](const auto& entry) { return obeys(root, schema, entry.key(), entry.value(), value); });
}

}  // namespace attnlab::spec::tests
