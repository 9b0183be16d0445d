#include "experiments/inspection/atomic_stream.h"

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "support/error.h"
#include "support/temporary_file.h"
#include "support/writing.h"

namespace attnlab::inspection {

AtomicStream::AtomicStream(std::filesystem::path path) : path_(std::move(path)) {
  if (std::filesystem::is_directory(path_)) {
    throw Error(fmt::format("cannot write '{}': it is a folder, expected the name of a file", path_.string()));
  }
  TemporaryFile temporary = create_beside(path_);
  temporary_ = std::move(temporary.name);
  file_ = fdopen(temporary.descriptor, "wb");
  if (file_ == nullptr) fail("open");
}

AtomicStream::~AtomicStream() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicStream::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("write");
  size_ += bytes.size();
}

void AtomicStream::commit() {
  if (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0) fail("write");
  const int closed = std::fclose(std::exchange(file_, nullptr));
  if (closed != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("finish");
}

void AtomicStream::fail(const char* what) const {
  throw Error(fmt::format("cannot {} '{}': {}", what, path_.string(), writing_problem(errno)));
}

}  // namespace attnlab::inspection
