#pragma once
/// The characters that SentencePiece keeps for itself, so that a text with them does not stay as it is.

#include <string>
#include <string_view>
#include <vector>

namespace attnlab::tokenizer {

/// SentencePiece's sign for unknown characters while it trains: it leaves out lines that have it.
inline constexpr std::string_view kUnknownSign = "\u2585";

/// What becomes of U+2581 (read as a blank) and of U+2585 (a piece only as a user symbol) in these lines: one sentence
/// for each that is there, with the number of lines and the first of them, counted from 1.
std::vector<std::string> notes_on_reserved(const std::vector<std::string>& lines);

}  // namespace attnlab::tokenizer
