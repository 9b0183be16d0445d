#include "tokenizer/line_encoder.h"

#include <algorithm>

namespace attnlab::tokenizer {
namespace {

constexpr size_t kMostKnown = 1 << 17;  // words: some 20 MB
constexpr size_t kLongestKnown = 64;    // bytes of a word
constexpr size_t kLongestLine = 4096;   // bytes; the tokenizer cuts longer ones

/// Words between single blanks, and nothing else.
bool is_plain(std::string_view line) {
  return !line.starts_with(' ') && !line.ends_with(' ') && line.find("  ") == std::string_view::npos;
}

}  // namespace

std::span<const int32_t> LineEncoder::encode(std::string_view line) {
  if (words_ == Words::joint || line.size() > kLongestLine || !is_plain(line)) return ids_ = tokenizer_.encode(line);
  ids_.clear();
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    append_word(word);
    line.remove_prefix(std::min(word.size() + 1, line.size()));
  }
  return ids_;
}

void LineEncoder::append_word(std::string_view word) {
  auto found = known_.find(word);
  if (found == known_.end()) {
    const Ids ids = tokenizer_.encode(word);
    if (known_.size() >= kMostKnown || word.size() > kLongestKnown) {
      ids_.insert(ids_.end(), ids.begin(), ids.end());
      return;
    }
    found = known_.emplace(word, std::pair(ids_of_known_.size(), ids.size())).first;
    ids_of_known_.insert(ids_of_known_.end(), ids.begin(), ids.end());
  }
  const auto [start, count] = found->second;
  const auto first = ids_of_known_.begin() + static_cast<std::ptrdiff_t>(start);
  ids_.insert(ids_.end(), first, first + static_cast<std::ptrdiff_t>(count));
}

}  // namespace attnlab::tokenizer
