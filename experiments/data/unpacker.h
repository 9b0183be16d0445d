#pragma once
/// gzip, piece by piece.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace attnlab::data {

/// Whether bytes begin as gzip does.
bool is_gzip(std::string_view bytes);

/// Bytes that may be gzip (known by the first two of them, any number of members); others pass as they are.
class Unpacker {
 public:
  /// `path` and `key` are for the message of a damaged archive.
  Unpacker(std::filesystem::path path, std::string key);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Appends to `text` what can be unpacked by now. Throws attnlab::Error for a damaged archive.
  void add(std::string_view bytes, std::string& text);

  /// Appends the rest. Throws attnlab::Error for an archive that is cut off.
  void finish(std::string& text);

 private:
  class Inflater;
  void pass(std::string_view bytes, std::string& text);
  [[noreturn]] void refuse() const;

  std::filesystem::path path_;
  std::string key_;
  std::string head_;  // bytes that are too few to tell
  bool knows_ = false;
  std::unique_ptr<Inflater> inflater_;  // null: plain text
};

}  // namespace attnlab::data
