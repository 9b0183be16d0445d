#pragma once
/// Lines that verbs read from files or stdin, and their ids: line i of the output answers line i.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace attnlab::app {

/// All that a LineReader gives.
std::vector<std::string> read_lines(const std::string& path, const std::string& what);

/// Refuses a second "-" among the files that a command reads: the first leaves nothing of the standard input.
/// `options` names them.
void require_one_standard_input(std::span<const std::string> paths, const std::string& options);

/// The ids of each line, with eos. More than `most` pieces are cropped, with a warning on stderr that numbers the line:
/// the memory of attention grows with their square. Another warning says how many lines have unknown pieces, and which
/// is the first. `before` lines came earlier.
std::vector<tokenizer::Ids> encode_lines(const tokenizer::Tokenizer& tokenizer, std::span<const std::string> lines,
                                         int64_t most, const std::string& what, size_t before = 0);

}  // namespace attnlab::app
