#pragma once
/// What a command may write over. A file that stands where a person told a command to write is theirs, whoever made it.

#include <filesystem>
#include <vector>

namespace attnlab {

/// Whether a command was told to replace what is there (`--replace`).
enum class Replace { no, yes };

/// Throws attnlab::Error if `path` is one of `inputs`, by this or another name or link.
void require_no_input(const std::filesystem::path& path, const std::vector<std::filesystem::path>& inputs);

/// Asks, before any work, whether a command may write `path`. The folder must exist. Throws attnlab::Error:
/// - `path` is one of `inputs`, whatever `replace` says;
/// - what stands there is no file (a folder, a device, a pipe): likewise;
/// - a link stands there, or a file and `replace` is no;
/// - the folder is missing or not writable.
void require_writable(const std::filesystem::path& path, Replace replace,
                      const std::vector<std::filesystem::path>& inputs = {});

}  // namespace attnlab
