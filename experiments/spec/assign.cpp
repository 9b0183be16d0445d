#include "experiments/spec/assign.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attnlab::spec {
namespace {

/// A hint for the slips that people make most.
std::string hint(const Json& value) {
  if (!value.is_string()) return "";
  const std::string& text = value.get_ref<const std::string&>();
  if (text == "true" || text == "false") return "; write it without quotes";
  const bool number = Json::parse(text, nullptr, /*allow_exceptions=*/false).is_number();
  return number ? "; numbers are written without quotes" : "";
}

[[noreturn]] void refuse_value(const Place& place, const std::string& expected, const Json& value) {
  place.refuse(fmt::format("expected {}, got {}{}", expected, in_words(value), hint(value)));
}

void check_bounds(const Field& field, double number, const Assignment& from) {
  const bool inside = (!field.minimum || number >= *field.minimum) && (!field.maximum || number <= *field.maximum) &&
                      (!field.above || number > *field.above) && (!field.below || number < *field.below);
  if (!inside) refuse_value(from.place, field.expected(), from.value);
}

void check_text(const Field& field, const Json& value, const Place& place) {
  const std::string& text = value.get_ref<const std::string&>();
  if (text.find('\0') != std::string::npos) place.refuse("the text contains a NUL character");
  if (!field.choices.empty()) {
    std::vector<std::string> names;
    for (const Choice& choice : field.choices) names.push_back(choice.name);
    if (std::find(names.begin(), names.end(), text) != names.end()) return;
    const std::string near = nearest(text, names);
    place.refuse(fmt::format("expected {}, got {}{}", field.expected(), in_words(value),
                             near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }
  if (field.matches != nullptr && !field.matches(text)) refuse_value(place, field.expected(), value);
}

/// Stores by the type of the member.
struct Store {
  const Field& field;
  const Assignment& from;

  void operator()(int64_t* member) const {
    const int64_t number = whole_number(from.value, from.place, field.expected());
    check_bounds(field, static_cast<double>(number), from);
    *member = number;
  }
  void operator()(double* member) const {
    if (!from.value.is_number()) refuse_value(from.place, field.expected(), from.value);
    const auto number = from.value.get<double>();
    check_bounds(field, number, from);
    *member = number == 0 ? 0.0 : number;  // -0.0 and 0.0 are the same setting
  }
  void operator()(bool* member) const {
    if (!from.value.is_boolean()) refuse_value(from.place, field.expected(), from.value);
    *member = from.value.get<bool>();
  }
  void operator()(std::string* member) const {
    if (!from.value.is_string()) refuse_value(from.place, field.expected(), from.value);
    check_text(field, from.value, from.place);
    auto text = from.value.get<std::string>();
    if (text.size() < field.shortest) refuse_value(from.place, field.expected(), from.value);
    *member = std::move(text);
  }
  void operator()(std::vector<std::string>* member) const {
    if (!from.value.is_array() || from.value.size() < field.shortest) {
      refuse_value(from.place, field.expected(), from.value);
    }
    std::vector<std::string> items;
    for (size_t i = 0; i < from.value.size(); ++i) {
      const Json& item = from.value[i];
      const Place place = from.place.item(i);
      if (!item.is_string()) refuse_value(place, "a text", item);
      check_text(field, item, place);
      const auto text = item.get<std::string>();
      if (text.empty()) place.refuse("an empty text is not allowed here");
      if (std::find(items.begin(), items.end(), text) != items.end()) place.refuse(in_words(item) + " stands twice");
      items.push_back(text);
    }
    *member = std::move(items);
  }
};

std::string join(const std::string& group, const std::string& key) {
  return group.empty() ? key : group + "." + key;
}

std::string parent(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

/// The shorthand that `path` is or lies below, and the rest of the path with its dot.
const Shorthand* shorthand_of(const Table& table, const std::string& path, std::string& rest) {
  for (const Shorthand& shorthand : table.shorthands) {
    if (path != shorthand.path && !path.starts_with(shorthand.path + ".")) continue;
    rest = path.substr(shorthand.path.size());
    return &shorthand;
  }
  return nullptr;
}

/// Walks one value; those that came through a shorthand and those that did not are kept apart.
struct Resolver {
  const Table& table;
  std::vector<Assignment> from_shorthands, direct;

  void visit(const std::string& path, const Json& value, const Place& place, bool short_form) {
    if (table.find(path) != nullptr) {
      (short_form ? from_shorthands : direct).push_back({path, value, place});
      return;
    }
    std::string rest;
    const Shorthand* shorthand = shorthand_of(table, path, rest);
    const bool own_group =
        table.is_group(path) && value.is_object();  // "model.dropout" is a number or a group of its own
    if (shorthand != nullptr && !own_group) {
      for (const std::string& target : shorthand->targets) visit(target + rest, value, place, true);
      return;
    }
    if (!table.is_group(path)) refuse_unknown(path, place);
    if (!value.is_object()) refuse_group(path, value, place);
    for (const auto& [key, below] : value.items()) visit_key(path, key, below, place, short_form);
  }

  /// Shorthands first, so that longer keys beat them.
  std::vector<Assignment> take() {
    std::vector<Assignment> all = std::move(from_shorthands);
    all.insert(all.end(), direct.begin(), direct.end());
    return all;
  }

 private:
  void visit_key(const std::string& group, const std::string& key, const Json& value, const Place& place,
                 bool short_form) {
    const std::vector<std::string> known = table.keys_below(group);
    if (std::find(known.begin(), known.end(), key) == known.end()) refuse_key(key, known, place);
    visit(join(group, key), value, place.key(key), short_form);
  }

  std::string keys(const std::string& group) const {
    return fmt::format("{}", fmt::join(table.keys_below(group), ", "));
  }

  /// A text where a group stands: its type, or one of its other choices, was meant.
  [[noreturn]] void refuse_group(const std::string& path, const Json& value, const Place& place) const {
    std::string meant;
    for (const std::string& key : table.keys_below(path)) {
      const Field* field = table.find(first_target(join(path, key)));
      if (field == nullptr || !value.is_string()) continue;
      const bool chosen = std::any_of(field->choices.begin(), field->choices.end(), [&](const Choice& choice) {
        return choice.name == value.get_ref<const std::string&>();
      });
      if (chosen && meant.empty()) meant = fmt::format("; did you mean {{\"{}\": {}}}?", key, value.dump());
    }
    place.refuse(fmt::format("expected an object with keys {}, got {}{}", keys(path), in_words(value), meant));
  }

  /// A shorthand's first target, or the path itself.
  std::string first_target(const std::string& path) const {
    std::string rest;
    const Shorthand* shorthand = shorthand_of(table, path, rest);
    return shorthand == nullptr ? path : shorthand->targets.front() + rest;
  }

  [[noreturn]] void refuse_unknown(const std::string& path, const Place& place) const {
    const std::string near = nearest(path, table.all_paths());
    std::string group = parent(path);
    while (!table.is_group(group)) group = parent(group);
    place.refuse(fmt::format("unknown key {}; {}", brief(path),
                             near.empty()
                                 ? fmt::format("{} has the keys {}", group.empty() ? "a run" : group, keys(group))
                                 : fmt::format("did you mean \"{}\"?", near)));
  }
};

}  // namespace

std::string in_words(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case Json::value_t::string:
      return "the text " + brief(value);
    case Json::value_t::array:
      return "the list " + brief(value);
    case Json::value_t::object:
      return "the object " + brief(value);
    default:
      return brief(value);
  }
}

void refuse_key(const std::string& name, const std::vector<std::string>& known, const Place& place) {
  const std::string near = nearest(name, known);
  place.key(name).refuse(fmt::format("unknown key; {}the keys here are {}",
                                     near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near),
                                     fmt::join(known, ", ")));
}

int64_t whole_number(const Json& value, const Place& place, const std::string& expected) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return static_cast<int64_t>(number);
    place.refuse(fmt::format("expected {}, got {}; the largest possible is {}", expected, number,
                             std::numeric_limits<int64_t>::max()));
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_number_float()) {
    // From 2^53 on a double no longer says which whole number was written.
    const auto number = value.get<double>();
    if (std::abs(number) < 9007199254740992.0 && number == std::trunc(number)) return static_cast<int64_t>(number);
    if (number == std::trunc(number))
      place.refuse(fmt::format("expected {}, got {}; it is too large to be exact", expected, brief(value)));
  }
  refuse_value(place, expected, value);
}

std::vector<Assignment> resolve(const Table& table, const std::string& path, const Json& value, const Place& place) {
  Resolver resolver{table, {}, {}};
  resolver.visit(path, value, place, false);
  return resolver.take();
}

std::vector<Assignment> resolve_changes(const Table& table, const Json& changes, const Place& place) {
  if (!changes.is_object()) refuse_value(place, "an object of changes such as {\"model.heads\": 4}", changes);
  Resolver resolver{table, {}, {}};
  for (const auto& [path, value] : changes.items()) resolver.visit(path, value, place.key(path), false);
  return resolver.take();
}

void apply_changes(const Table& table, const Json& changes, const Place& place) {
  for (const Assignment& assignment : resolve_changes(table, changes, place)) assign(table, assignment);
}

void assign(const Table& table, const Assignment& assignment) {
  const Field* field = table.find(assignment.path);
  std::visit(Store{*field, assignment}, field->member);
}

void apply(const Table& table, const std::string& path, const Json& value, const Place& place) {
  for (const Assignment& assignment : resolve(table, path, value, place)) assign(table, assignment);
}

}  // namespace attnlab::spec
