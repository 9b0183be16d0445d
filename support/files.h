#pragma once
/// Whole files in and out, with the error messages of everything that a person names by a path. Nothing here knows what
/// is in them.

#include <filesystem>
#include <string>
#include <string_view>

namespace attnlab {

/// Checks that `path` names a regular, readable file with something in it. `what` says whose file it is, e.g. "the
/// spec" or "data.train"; it begins the message. Throws attnlab::Error: missing, a dangling link, a folder, not a
/// regular file (FIFO, device), no permission, or empty.
void require_readable_file(const std::filesystem::path& path, std::string_view what);

/// Opens a file that passes `require_readable_file` in the same go, so that what was checked is what is read. The
/// descriptor belongs to the caller. Throws attnlab::Error.
int open_readable_file(const std::filesystem::path& path, std::string_view what);

/// The bytes of a file that passes `require_readable_file`. Throws attnlab::Error.
std::string read_file(const std::filesystem::path& path, std::string_view what);

/// Puts `content` under `path` so that at every moment, also after a power cut, there is the old file or the new one,
/// whole: written to a name of its own that ends in `.tmp`, flushed to the disk, renamed. The folder must exist. Throws
/// attnlab::Error.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Makes a folder and those above it; one that is there already is fine. Throws attnlab::Error: a file is in the way,
/// no permission, no space.
void make_folder(const std::filesystem::path& path);

/// The standard library's complaint about a path, for a person: "'out/a': No space left on device".
std::string describe(const std::filesystem::filesystem_error& problem);

}  // namespace attnlab
