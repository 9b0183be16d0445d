#pragma once
/// Lines that verbs read from files or stdin: split at LF only, CR of CRLF removed, so that line i of the output
/// answers line i.

#include <cstdint>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace attnlab::app {

/// The lines of `path`, or of stdin for "-", plain or gzip; a byte-order mark is no part of the first. Bytes that are
/// no UTF-8 text (NUL, too) become U+FFFD. Warnings on stderr say so with the first such line, and where there are
/// characters that tokenizers cannot keep. `what` names the option in messages. Throws attnlab::Error for UTF-16 and
/// UTF-32.
std::vector<std::string> read_lines(const std::string& path, const std::string& what);

/// The ids of each line, with eos. More than `most` pieces are cropped, with a warning on stderr that numbers the line:
/// the memory of attention grows with their square.
std::vector<tokenizer::Ids> encode_lines(const tokenizer::Tokenizer& tokenizer, const std::vector<std::string>& lines,
                                         int64_t most, const std::string& what);

}  // namespace attnlab::app
