#include "support/files.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/error.h"
#include "support/temporary_file.h"
#include "support/writing.h"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view what, const fs::path& path, std::string_view reason) {
  throw Error(fmt::format("{}: cannot read '{}': {}", what, path.string(), reason));
}

[[noreturn]] void fail_to_write(const fs::path& path) {
  throw Error(fmt::format("cannot write '{}': {}", path.string(), writing_problem(errno)));
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

/// Opens and checks in one go, so that what was checked is what is read.
Descriptor open_checked(const fs::path& path, std::string_view what) {
  // O_NONBLOCK: opening a FIFO without a writer must not wait for one.
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) {
    const int reason = errno;
    std::error_code ignored;
    if (reason == ENOENT && fs::is_symlink(path, ignored))
      fail(what, path, "it is a link to a file that does not exist");
    if (reason == ENOENT) fail(what, path, "no such file; check the spelling and the folder");
    if (reason == EACCES) fail(what, path, "no permission (chmod u+r would give it)");
    fail(what, path, std::strerror(reason));
  }
  Descriptor file(number);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail(what, path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail(what, path, "it is a folder, a file was expected");
  if (!S_ISREG(status.st_mode))
    fail(what, path, "it is not a regular file (a pipe or a device); save it to a file first");
  if (status.st_size == 0) fail(what, path, "it is empty");
  return file;
}

void write_all(int file, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(path);
    content.remove_prefix(static_cast<size_t>(written));
  }
}

void flush_folder(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.number() < 0) fail_to_write(path);
  // Some file systems have no flush for folders; the file itself is safe by then.
  if (::fsync(descriptor.number()) != 0 && errno != EINVAL && errno != ENOTSUP) fail_to_write(path);
}

}  // namespace

void require_readable_file(const fs::path& path, std::string_view what) {
  open_checked(path, what);
}

int open_readable_file(const fs::path& path, std::string_view what) {
  return open_checked(path, what).release();
}

std::string read_file(const fs::path& path, std::string_view what) {
  const Descriptor file = open_checked(path, what);
  std::string content;
  char block[1 << 16];
  while (true) {
    const ssize_t count = ::read(file.number(), block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(what, path, std::strerror(errno));
    if (count == 0) return content;
    content.append(block, static_cast<size_t>(count));
  }
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  const auto [temporary, number] = create_beside(path);
  Descriptor file(number);
  try {
    write_all(file.number(), content, path);
    if (::fsync(file.number()) != 0 || !file.close()) fail_to_write(path);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail_to_write(path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  flush_folder(path);
}

void make_folder(const fs::path& path) {
  std::error_code failure;
  fs::create_directories(path, failure);
  if (!failure && fs::is_directory(path, failure)) return;
  // The file that is in the way may stand anywhere above.
  for (fs::path part = path; !part.empty() && part != part.parent_path(); part = part.parent_path()) {
    std::error_code ignored;
    if (fs::exists(part, ignored) && !fs::is_directory(part, ignored))
      throw Error(fmt::format("cannot make the folder '{}': '{}' is a file; choose another name", path.string(),
                              part.string()));
    if (fs::is_symlink(part, ignored) && !fs::exists(part, ignored))
      throw Error(fmt::format("cannot make the folder '{}': '{}' is a link to nowhere; choose another name",
                              path.string(), part.string()));
  }
  throw Error(
      fmt::format("cannot make the folder '{}': {}", path.string(), failure ? failure.message() : "its name is empty"));
}

std::string describe(const fs::filesystem_error& problem) {
  std::string paths = fmt::format("'{}'", problem.path1().string());
  if (!problem.path2().empty()) paths += fmt::format(" and '{}'", problem.path2().string());
  return fmt::format("{}: {}", paths, problem.code().message());
}

}  // namespace attnlab
