#include "support/file_pieces.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "support/error.h"
#include "support/files.h"
#include "support/temporary_file.h"

namespace attnlab {

FileReader::FileReader(std::filesystem::path path, std::string_view what)
    : path_(std::move(path)), what_(what), file_(open_readable_file(path_, what)) {}

FileReader::~FileReader() {
  ::close(file_);
}

size_t FileReader::read(char* buffer, size_t size) {
  size_t filled = 0;
  while (filled < size) {
    const ssize_t count = ::read(file_, buffer + filled, size - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(fmt::format("{}: cannot read '{}': {}", what_, path_.string(), std::strerror(errno)));
    if (count == 0) break;
    filled += static_cast<size_t>(count);
  }
  return filled;
}

FileWriter::FileWriter(std::filesystem::path path) : path_(std::move(path)) {
  const TemporaryFile file = create_beside(path_);
  temporary_ = file.name;
  file_ = file.descriptor;
}

FileWriter::~FileWriter() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(temporary_.c_str());
}

void FileWriter::write(std::string_view bytes) {
  overwrite(size_, bytes);
  size_ += bytes.size();
}

void FileWriter::overwrite(uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    bytes.remove_prefix(static_cast<size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
}

void FileWriter::commit() {
  if (::fsync(file_) != 0) fail();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  ::close(std::exchange(file_, -1));
}

void FileWriter::fail() const {
  throw Error(fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno)));
}

}  // namespace attnlab
