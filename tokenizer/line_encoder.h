#pragma once
/// Encodes many lines of text: as a Tokenizer does, and faster where words repeat.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tokenizer/tokenizer.h"

namespace attnlab::tokenizer {

/// How a line's ids depend on its words.
enum class Words {
  joint,  ///< in any way
  /// The ids of a line are those of its words, one after the other. So it is for `bpe` models that `train` made without
  /// user symbols: no piece reaches over a blank, a merge in one word does not depend on another, and every word begins
  /// with a known piece, the blank. Not for unigram models, whose sums of floats over a line decide ties, nor for word
  /// models, which make one id of two unknown words.
  separate
};

/// For one thread.
class LineEncoder {
 public:
  LineEncoder(Tokenizer tokenizer, Words words) : tokenizer_(std::move(tokenizer)), words_(words) {}

  /// The ids of `tokenizer.encode(line)`, good until the next call.
  std::span<const int32_t> encode(std::string_view line);

 private:
  /// Hashes views and strings alike, so that a word is looked up without a copy.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  void append_word(std::string_view word);

  Tokenizer tokenizer_;
  Words words_;
  std::unordered_map<std::string, std::pair<size_t, size_t>, Hash, std::equal_to<>> known_;  // word -> start, count
  Ids ids_of_known_, ids_;
};

}  // namespace attnlab::tokenizer
