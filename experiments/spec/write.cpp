#include "experiments/spec/write.h"

#include <algorithm>
#include <utility>

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

/// Whether a key that was added later has its default.
bool is_left_out(const Field& field, const Table& defaults) {
  return field.is_added && value_of(field) == value_of(*defaults.find(field.path));
}

Json value_in(const Table& table, const std::string& path) {
  if (const Field* field = table.find(path)) return value_of(*field);
  if (table.is_group(path) && table.find_shorthand(path) == nullptr) {
    Json group = Json::object();
    for (const std::string& key : table.keys_below(path)) group[key] = value_in(table, path + "." + key);
    return group;
  }
  for (const Shorthand& shorthand : table.shorthands) {
    if (path != shorthand.path && !path.starts_with(shorthand.path + ".")) continue;
    Json values = Json::array();
    for (const std::string& target : shorthand.targets)
      values.push_back(value_in(table, target + path.substr(shorthand.path.size())));
    const bool equal =
        std::all_of(values.begin(), values.end(), [&](const Json& value) { return value == values.front(); });
    return equal ? values.front() : values;
  }
  Place(path).refuse("there is no such key");
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
    if (!is_left_out(field, defaults)) descend(root, field.path) = value_of(field);
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
  return value_in(describe(copy), path);
}

Writer::Writer() : defaults_(describe(initial_)), table_(describe(config_)) {
  Json skeleton = Json::object();
  for (size_t i = 0; i < table_.fields.size(); ++i) {
    if (!table_.fields[i].is_added) descend(skeleton, table_.fields[i].path) = i;
  }
  add_pieces(skeleton, end_);
}

/// `skeleton` has the number of a field in the place of its value; `before` is what stands since the last one.
void Writer::add_pieces(const Json& skeleton, std::string& before) {
  if (!skeleton.is_object()) {
    const Field& field = table_.fields[skeleton.get<size_t>()];
    const Value value = std::visit([](const auto* member) { return Value(*member); }, field.member);
    pieces_.push_back({std::exchange(before, ""), &field, value, value_of(field).dump()});
    return;
  }
  const char* separator = "{";
  for (const auto& [key, below] : skeleton.items()) {
    before += separator + Json(key).dump() + ":";
    add_pieces(below, before);
    separator = ",";
  }
  before += "}";
}

bool Writer::has_added_keys() const {
  return std::any_of(table_.fields.begin(), table_.fields.end(),
                     [this](const Field& field) { return field.is_added && !is_left_out(field, defaults_); });
}

std::string Writer::canonical_text(const RunConfig& config) {
  config_ = config;
  if (has_added_keys()) return canonical_json(table_, defaults_).dump();
  std::string text;
  for (Piece& piece : pieces_) {
    std::visit(
        [&piece](const auto* member) {
          auto& known = std::get<std::decay_t<decltype(*member)>>(piece.value);
          if (known == *member) return;
          known = *member;
          piece.text = Json(*member).dump();
        },
        piece.field->member);
    text += piece.before;
    text += piece.text;
  }
  return text + end_;
}

std::string Writer::text_below(const RunConfig& config, const std::string& group) {
  config_ = config;
  std::string text;
  for (const Field& field : table_.fields) {
    if (field.path.starts_with(group + ".")) text += value_of(field).dump() + "\n";
  }
  return text;
}

Json Writer::value(const RunConfig& config, const std::string& path) {
  config_ = config;
  return value_in(table_, path);
}

}  // namespace attnlab::spec
