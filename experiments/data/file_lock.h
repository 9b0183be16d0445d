#pragma once
/// A lock between processes.

#include <filesystem>

namespace attnlab::data {

/// Holds an exclusive lock (flock) on a file, which is made if missing and stays; waits until it is free. The system
/// gives it back when the process ends, however it ends.
class FileLock {
 public:
  /// Throws attnlab::Error if the file cannot be made.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace attnlab::data
