#include "experiments/data/file_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "support/error.h"

namespace attnlab::data {

FileLock::FileLock(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  const auto fail = [&] { throw Error(fmt::format("cannot lock '{}': {}", path.string(), std::strerror(errno))); };
  if (file_ < 0) fail();
  while (::flock(file_, LOCK_EX) != 0)
    if (errno != EINTR) {
      ::close(file_);
      fail();
    }
}

FileLock::~FileLock() {
  ::close(file_);
}

}  // namespace attnlab::data
