#pragma once
/// JSON values into typed members, by the table: the one place where types and ranges are checked.

#include "experiments/spec/place.h"
#include "experiments/spec/table.h"
#include "support/json.h"

namespace attnlab::spec {

/// A value for one field, and where a person wrote it.
struct Assignment {
  std::string path;
  Json value;
  Place place;
};

/// What writing `value` under `path` means, field by field: objects are taken apart and shorthands expanded, longer
/// keys of the same object coming after the shorthand so that they win. `path` is dotted; "" is the whole
/// configuration. Throws attnlab::Error for unknown keys, with the nearest known one.
std::vector<Assignment> resolve(const Table& table, const std::string& path, const Json& value, const Place& place);

/// `resolve` of each `dotted path: value` of an object of changes, all shorthands first.
std::vector<Assignment> resolve_changes(const Table& table, const Json& changes, const Place& place);

/// Checks type and range and stores. Whole numbers are taken for reals, and 8.0 for 8; nothing else is converted.
/// Throws attnlab::Error that says what was expected and what came.
void assign(const Table& table, const Assignment& assignment);

/// `resolve`, then `assign` each.
void apply(const Table& table, const std::string& path, const Json& value, const Place& place);

/// `resolve_changes`, then `assign` each.
void apply_changes(const Table& table, const Json& changes, const Place& place);

/// The whole number in `value`, exact. Throws attnlab::Error beginning with `place`; `expected` says what should be
/// there.
int64_t whole_number(const Json& value, const Place& place, const std::string& expected);

/// Refuses the key `name` at `place`, naming the nearest of `known`, or all of them.
[[noreturn]] void refuse_key(const std::string& name, const std::vector<std::string>& known, const Place& place);

/// "the text \"8\"": a value in words for a message.
std::string in_words(const Json& value);

}  // namespace attnlab::spec
