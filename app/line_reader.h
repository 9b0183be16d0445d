#pragma once
/// Lines of a file or of the standard input, some at a time: what a verb holds does not grow with its input.

#include <string>
#include <vector>

#include "experiments/data/unpacker.h"
#include "tokenizer/reserved.h"

namespace attnlab::app {

/// The name of an input for people: its path, or "the standard input" for "-".
std::string name_of_input(const std::string& path);

/// Reads plain text or gzip. Lines are split at LF only, CR of CRLF is removed, and a byte-order mark is no part of the
/// first. Bytes that are no UTF-8 text (NUL, too) become U+FFFD. Throws attnlab::Error for UTF-16 and UTF-32.
class LineReader {
 public:
  /// `path` is a file, or "-" for the standard input; `what` names the option in messages. Throws attnlab::Error, as
  /// `next` does, for what cannot be read or unpacked.
  LineReader(const std::string& path, const std::string& what);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next lines, at most `most` >= 1 and fewer where they are very long. None: the text has ended, and warnings on
  /// stderr have told of which file how many lines had bad bytes, or characters that tokenizers cannot keep, and which
  /// were the first.
  std::vector<std::string> next(size_t most);

 private:
  bool read_block();
  std::string take(size_t lines);
  void look_for_bad_bytes(std::string_view text);
  void warn();

  std::string what_, name_;
  int file_;
  data::Unpacker unpacker_;
  bool ended_ = false;
  std::string text_;     // read and not yet given
  size_t complete_ = 0;  // ends of lines in it
  size_t line_ = 0, bad_ = 0, first_bad_ = 0;
  tokenizer::ReservedCounter reserved_;
};

}  // namespace attnlab::app
