#pragma once
/// The characters that SentencePiece keeps for itself, so that a text with them does not stay as it is.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::tokenizer {

/// SentencePiece's sign for unknown characters while it trains: it leaves out lines that have it.
inline constexpr std::string_view kUnknownSign = "\u2585";

/// Counts the lines that have one of them.
class ReservedCounter {
 public:
  /// The next line of the text.
  void add(std::string_view line);

  /// What becomes of U+2581 (read as a blank) and of U+2585 (a piece only as a user symbol): one sentence for each that
  /// was there, with the number of lines and the first of them, counted from 1.
  std::vector<std::string> notes() const;

 private:
  struct Count {
    size_t lines = 0, first = 0;
  };

  size_t line_ = 0;
  std::array<Count, 2> counts_;
};

}  // namespace attnlab::tokenizer
