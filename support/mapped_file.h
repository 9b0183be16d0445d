#pragma once
/// A file as memory: its pages are read when they are looked at, belong to the system's file cache, and are shared by
/// all processes that map it.

#include <filesystem>
#include <string_view>

namespace attnlab {

/// Read-only. The file must not be shortened while it is mapped; one that is replaced by renaming stays as it was.
class MappedFile {
 public:
  /// Throws attnlab::Error as `read_file` does, and if the file system cannot map files; `what` begins the message.
  MappedFile(const std::filesystem::path& path, std::string_view what);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace attnlab
