#pragma once
/// Strict JSON: what a person wrote, in the order in which it was written, or an error with file, line and column.

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace attnlab {

/// Keeps the order of keys: the axes of a grid are listed as the file lists them.
using Json = nlohmann::ordered_json;

/// Parses one JSON document. `where` names it in messages ("specs/demo.json"). A UTF-8 byte-order mark at the start is
/// skipped. Throws attnlab::Error for syntax errors (`where:line:column`), comments, invalid UTF-8, numbers that no
/// double holds (1e400), a key that stands twice in one object, and nesting deeper than 64.
Json parse_json(std::string_view text, const std::string& where);

/// `parse_json` of a file; `what` as in `read_file`.
Json read_json(const std::filesystem::path& path, std::string_view what);

/// The library's complaint about a document of the wrong shape, without its own name and number: "key 'status' not
/// found". Other exceptions keep their message.
std::string shape_problem(const std::exception& problem);

/// One line of JSON for a message, cut after `limit` bytes (never inside a character); broken UTF-8 shows as U+FFFD.
std::string brief(const Json& value, size_t limit = 60);

}  // namespace attnlab
