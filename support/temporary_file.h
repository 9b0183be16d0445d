#pragma once
/// Files that are still being written. They stand beside the name that they will have, under one that nobody else's
/// file can be hurt by.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace attnlab {

/// A file that `create_beside` has made: open for writing, empty.
struct TemporaryFile {
  std::filesystem::path name;
  int descriptor = -1;
};

/// Makes a new file for what will be renamed to `path`: `<path>.<process>-<number>.tmp`, the first number whose name is
/// free. Throws attnlab::Error.
TemporaryFile create_beside(const std::filesystem::path& path);

/// What a file that `create_beside` made would have become: "best.safetensors" for "best.safetensors.4711-0.tmp".
/// Nothing for a name that it never gives ("my.tmp").
std::optional<std::string> awaited_name(std::string_view name);

}  // namespace attnlab
