#include "support/output.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "support/error.h"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
  throw Error(fmt::format("cannot write '{}': {}", path.string(), reason));
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code missing;
  return fs::equivalent(a, b, missing);
}

void require_writable_folder(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) refuse(path, fmt::format("there is no folder '{}'", folder.string()));
  if (!fs::is_directory(folder, ignored)) refuse(path, fmt::format("'{}' is a file", folder.string()));
  if (::access(folder.c_str(), W_OK) != 0) refuse(path, std::strerror(errno));
}

}  // namespace

void require_no_input(const fs::path& path, const std::vector<fs::path>& inputs) {
  for (const fs::path& input : inputs) {
    if (is_same_file(path, input))
      refuse(path, fmt::format("it is the input '{}' of this command; choose another name", input.string()));
  }
}

void require_writable(const fs::path& path, Replace replace, const std::vector<fs::path>& inputs) {
  require_no_input(path, inputs);
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  if (fs::is_directory(status)) refuse(path, "it is a folder, a file was expected");
  // What a link leads to may be a device, or a file that was not meant.
  if (fs::is_symlink(status)) refuse(path, "it is a link; give the name of the file itself");
  const bool is_file = fs::is_regular_file(status);
  if (fs::exists(status) && !is_file) refuse(path, "it is no regular file; choose another name");
  if (is_file && replace == Replace::no) refuse(path, "it is there already; choose another name, or say --replace");
  require_writable_folder(path);
}

}  // namespace attnlab
