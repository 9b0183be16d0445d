#pragma once
/// The lines of a text file of any size, plain or gzip, one after the other: never more than a few MiB of it are held.

#include <cstddef>
#include <filesystem>
#include <future>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/data/parallel_text.h"
#include "experiments/data/unpacker.h"
#include "support/file_pieces.h"

namespace attnlab::data {

/// The bytes of a file that may be gzip (known by its first bytes, not by its name), unpacked, piece by piece.
class TextReader {
 public:
  /// Throws attnlab::Error as `read_text` does.
  TextReader(const std::filesystem::path& path, std::string_view key);
  TextReader(const TextReader&) = delete;
  TextReader& operator=(const TextReader&) = delete;

  /// Appends some more bytes to `text`; false if there were none left. Throws attnlab::Error.
  bool more(std::string& text);

 private:
  FileReader file_;
  Unpacker unpacker_;
  std::vector<char> block_;
  bool ended_ = false;
};

/// The lines of one file, as `split_lines` finds them. Reads ahead on a thread of its own.
class LineStream {
 public:
  /// Throws attnlab::Error as `read_text` does.
  LineStream(const std::filesystem::path& path, std::string_view key, BadUtf8 policy);

  /// The next line; false at the end. Throws attnlab::Error as `read_text` and `split_lines` do.
  bool next(std::string& line);

  /// Lines given so far.
  size_t count() const { return count_; }

 private:
  std::vector<std::string> read_block();

  std::string name_;
  BadUtf8 policy_;
  TextReader reader_;
  std::string rest_;       // the start of a line whose end is not read yet
  size_t lines_read_ = 0;  // in all blocks
  std::vector<std::string> block_;
  size_t at_ = 0, count_ = 0;
  std::future<std::vector<std::string>> ahead_;  // last: its end is waited for before the rest goes
};

}  // namespace attnlab::data
