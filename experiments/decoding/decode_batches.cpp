#include "experiments/decoding/decode_batches.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace attnlab::decoding {
namespace {

constexpr int64_t kTokensPerSentence = 128;

std::vector<std::vector<int64_t>> cut(const std::vector<int64_t>& lengths, int64_t sentences, int64_t tokens) {
  std::vector<int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return lengths[static_cast<size_t>(a)] > lengths[static_cast<size_t>(b)];
  });
  std::vector<std::vector<int64_t>> batches;
  int64_t room = 0;  // sentences that the current batch can still take; its first is its longest
  for (const int64_t sentence : order) {
    if (room == 0) {
      batches.emplace_back();
      const int64_t longest = std::max<int64_t>(lengths[static_cast<size_t>(sentence)], 1);
      room = std::max<int64_t>(std::min(sentences, tokens / longest), 1);
    }
    batches.back().push_back(sentence);
    --room;
  }
  return batches;
}

}  // namespace

std::vector<std::vector<int64_t>> decode_batches(const std::vector<int64_t>& lengths, int64_t sentences) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / kTokensPerSentence;
  return cut(lengths, sentences, std::min(sentences, kMost) * kTokensPerSentence);
}

std::vector<std::vector<int64_t>> token_batches(const std::vector<int64_t>& lengths, int64_t tokens) {
  return cut(lengths, std::numeric_limits<int64_t>::max(), tokens);
}

}  // namespace attnlab::decoding
