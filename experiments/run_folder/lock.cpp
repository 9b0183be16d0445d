#include "experiments/run_folder/lock.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "support/error.h"

namespace attnlab::run_folder {
namespace {

/// The process number that the holder wrote, 0 if it is not there yet.
pid_t read_holder(int descriptor) {
  char text[32] = {};
  const ssize_t count = ::pread(descriptor, text, sizeof text - 1, 0);
  return count > 0 ? static_cast<pid_t>(std::strtol(text, nullptr, 10)) : 0;
}

std::string refusal(const std::filesystem::path& out, pid_t holder) {
  if (holder > 0 && ::kill(holder, 0) != 0 && errno == ESRCH)
    return fmt::format(
        "'{}' is still in use: process {}, which ran this sweep, is gone, but runs that it started have not ended yet; "
        "they have been asked to, try again in a moment",
        out.string(), holder);
  return fmt::format("'{}' is in use by another attnlab (process {}); wait for it, end it, or choose another --out",
                     out.string(), holder);
}

/// Takes the lock if it can. A few tries, because `is_locked` holds it for a moment.
bool try_lock(int descriptor) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  errno = EWOULDBLOCK;
  return false;
}

/// A file of the same name that some other program keeps: it must not lose what it says.
void refuse_foreign(int descriptor, const std::filesystem::path& path) {
  char text[32] = {};
  const ssize_t count = ::pread(descriptor, text, sizeof text - 1, 0);
  if (count == 0) return;
  const std::string_view holder(text, count > 0 ? static_cast<size_t>(count) : 0);
  if (holder.ends_with('\n') && holder.find_first_not_of("0123456789") == holder.size() - 1) return;
  throw Error(fmt::format("'{}' is no lock of attnlab; move it away, or choose another --out", path.string()));
}

void write_holder(int descriptor) {
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor, 0) != 0 || ::pwrite(descriptor, text.data(), text.size(), 0) < 0)
    throw Error(fmt::format("cannot write the lock file: {}", std::strerror(errno)));
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& out) {
  const auto path = out / ".lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw Error(fmt::format("cannot open '{}': {}", path.string(), std::strerror(errno)));
  if (try_lock(descriptor_)) {
    try {
      refuse_foreign(descriptor_, path);
      write_holder(descriptor_);
    } catch (...) {
      ::close(descriptor_);
      throw;
    }
    return;
  }
  const int problem = errno;
  const std::string message = problem == EWOULDBLOCK
                                  ? refusal(out, read_holder(descriptor_))
                                  : fmt::format("cannot lock '{}': {}", path.string(), std::strerror(problem));
  ::close(descriptor_);
  throw Error(message);
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

bool is_locked(const std::filesystem::path& out) {
  const int descriptor = ::open((out / ".lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0;
  ::close(descriptor);
  return locked;
}

}  // namespace attnlab::run_folder
