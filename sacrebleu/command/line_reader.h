#pragma once
/// Lines of a text as the original's command reads them, one at a time.

#include <istream>
#include <memory>
#include <string>
#include <string_view>

#include "sacrebleu/command/byte_source.h"

namespace sacrebleu {

/// Which characters end a line.
enum class LineEnds {
  newline,   ///< only \n: files
  universal  ///< \n, \r\n and a lone \r: the standard input
};

/// Holds a piece of the text, whatever its length. Encodings other than UTF-8 are decoded as a whole, since ICU tells
/// an unfinished character from a wrong one only at the end of a text.
class LineReader {
 public:
  /// A file; a name ending in .gz is decompressed. encoding: a name that Python or ICU knows. No byte order mark is
  /// removed, except for utf-8-sig. Throws Error when the file cannot be opened.
  LineReader(const std::string& file, std::string encoding);
  /// A stream called `name` in messages, which must outlive the reader. Nothing is read yet.
  LineReader(std::istream& stream, std::string name, std::string encoding, LineEnds ends);

  /// The next line without its end, valid until the next call; false when there is none. Throws Error with file and
  /// line number: broken gzip data anywhere in the file, or else undecodable bytes in the line.
  bool next(std::string_view& line);
  /// The same, but the line remains the next one.
  bool peek(std::string_view& line);

 private:
  void start();
  std::size_t line_end();
  std::size_t fill();
  [[noreturn]] void refuse_byte(std::size_t at);

  std::unique_ptr<ByteSource> source_;
  std::string name_, encoding_;
  LineEnds ends_;
  bool started_ = false, ended_ = false;
  std::string text_;                          ///< read and not yet given, but for `at_` bytes
  std::size_t at_ = 0, end_ = 0;              ///< the next line in it
  std::size_t position_ = 0, line_ends_ = 0;  ///< bytes before text_, \n before the next line
};

}  // namespace sacrebleu
