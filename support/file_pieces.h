#pragma once
/// Large files read and written a piece at a time.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace attnlab {

/// A regular file, from its start to its end.
class FileReader {
 public:
  /// `what` begins every message, as in `read_file`. Throws attnlab::Error as that does.
  FileReader(std::filesystem::path path, std::string_view what);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  /// The next bytes, as many as fit; fewer at the end only. Throws attnlab::Error.
  size_t read(char* buffer, size_t size);

 private:
  std::filesystem::path path_;
  std::string what_;
  int file_;
};

/// A file that appears under its name when it is whole, as with `write_file_atomically`.
class FileWriter {
 public:
  /// Throws attnlab::Error if no file can be made beside `path`.
  explicit FileWriter(std::filesystem::path path);
  /// Without `commit` nothing is left, and an older file stays as it was.
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Appends. Throws attnlab::Error.
  void write(std::string_view bytes);
  /// Puts bytes over those at `offset`, which were written before. Throws attnlab::Error.
  void overwrite(uint64_t offset, std::string_view bytes);
  /// To the disk and under its name. Throws attnlab::Error.
  void commit();

  uint64_t size() const { return size_; }  ///< bytes appended so far

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_, temporary_;
  uint64_t size_ = 0;
  int file_ = -1;
};

}  // namespace attnlab
