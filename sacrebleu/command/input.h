#pragma once
/// Text files and the standard input as the original's command reads them, held in memory.

#include <istream>
#include <string>
#include <vector>

#include "sacrebleu/command/line_reader.h"

namespace sacrebleu {

/// The lines that are left. Throws Error as LineReader does.
std::vector<std::string> read_lines(LineReader& reader);

/// The lines of a file, without their ends.
std::vector<std::string> read_lines(const std::string& file, const std::string& encoding);

/// The lines of a stream called `name` in messages.
std::vector<std::string> read_lines(std::istream& stream, const std::string& name, const std::string& encoding,
                                    LineEnds ends);

}  // namespace sacrebleu
