#pragma once
/// Words of commands that are printed for a person to copy into a shell.

#include <filesystem>
#include <string>

namespace attnlab {

/// `word` as one word of a POSIX shell: as it is where no shell would change it, otherwise in single quotes.
std::string shell_quoted(const std::string& word);

/// A path as an argument that no program takes for an option: one that begins with a dash gets `./` in front. Quoted.
std::string shell_path(const std::filesystem::path& path);

}  // namespace attnlab
