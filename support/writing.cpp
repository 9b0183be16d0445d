#include "support/writing.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "support/error.h"
#include "support/files.h"

namespace attnlab {

std::string writing_problem(int error) {
  if (error == EFBIG) return "the file would be larger than the shell (ulimit -f) or the file system allows";
  return std::strerror(error);
}

void require_writable_folder(const std::filesystem::path& path) {
  make_folder(path);
  std::string file = path / ".writable-XXXXXX";
  const int number = ::mkstemp(file.data());
  if (number < 0) throw Error(fmt::format("no file can be made in '{}': {}", path.string(), writing_problem(errno)));
  ::close(number);
  ::unlink(file.c_str());
}

}  // namespace attnlab
