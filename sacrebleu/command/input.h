#pragma once
/// Text files and the standard input as the original's command reads them.

#include <istream>
#include <string>
#include <vector>

namespace sacrebleu {

/// Which characters end a line.
enum class LineEnds {
  newline,   ///< only \n: files
  universal  ///< \n, \r\n and a lone \r: the standard input
};

/// The lines of a file, without their ends; a name ending in .gz is decompressed. encoding: a name that Python or ICU
/// knows. No byte order mark is removed. Throws Error with file and line number: missing file, broken gzip data,
/// undecodable bytes.
std::vector<std::string> read_lines(const std::string& file, const std::string& encoding);

/// The lines of a stream called `name` in messages.
std::vector<std::string> read_lines(std::istream& stream, const std::string& name, const std::string& encoding,
                                    LineEnds ends);

}  // namespace sacrebleu
