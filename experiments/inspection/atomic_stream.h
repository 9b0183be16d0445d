#pragma once
/// A file that is written piece by piece and appears under its name only when it is whole.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace attnlab::inspection {

/// Writes beside `path` (temporary_file.h) and renames on `commit`; without it the temporary file is removed and an
/// older file stays as it was. Throws attnlab::Error with the path and the system's reason.
class AtomicStream {
 public:
  explicit AtomicStream(std::filesystem::path path);
  ~AtomicStream();
  AtomicStream(const AtomicStream&) = delete;
  AtomicStream& operator=(const AtomicStream&) = delete;

  void write(std::string_view bytes);
  /// Bytes written so far.
  uint64_t size() const { return size_; }
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_, temporary_;
  std::FILE* file_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace attnlab::inspection
