#pragma once
/// The bytes of a file or stream, a piece at a time.

#include <istream>
#include <memory>
#include <string>

namespace sacrebleu {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;
  /// Appends the next bytes to text; false when there are no more. Throws Error (file) for broken gzip data.
  virtual bool read(std::string& text) = 0;
};

/// A file, decompressed when its name ends in .gz. Throws Error (file) when it cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& file);

/// A stream, which must outlive what is returned.
std::unique_ptr<ByteSource> stream_bytes(std::istream& stream);

}  // namespace sacrebleu
