#pragma once
/// One sweep at a time in a folder.

#include <filesystem>

namespace attnlab::run_folder {

/// Holds the lock of a sweep's folder for as long as it lives, and for as long as any child lives that inherited its
/// descriptor: should this process be killed, its runs still keep a second sweep out until they have ended.
class FolderLock {
 public:
  /// Takes the lock of `out` (file `.lock`). Throws attnlab::Error with the process that holds it, or if there is a
  /// file of that name that holds something else.
  explicit FolderLock(const std::filesystem::path& out);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// For children to inherit.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Whether a sweep works in `out` just now.
bool is_locked(const std::filesystem::path& out);

}  // namespace attnlab::run_folder
