#pragma once
/// Whether and why something cannot be written, in words for a person.

#include <filesystem>
#include <string>

namespace attnlab {

/// What an errno of writing means: "No space left on device".
std::string writing_problem(int error);

/// Makes the folder if it is missing, and tries whether a file can be made in it. Throws attnlab::Error.
void require_writable_folder(const std::filesystem::path& path);

}  // namespace attnlab
