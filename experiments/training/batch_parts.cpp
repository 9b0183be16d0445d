#include "experiments/training/batch_parts.h"

#include <algorithm>

namespace attnlab::training {

std::vector<BatchPart> split(const data::Batch& batch, int64_t parts, int64_t least_tokens) {
  parts = std::clamp<int64_t>(std::min(batch.rows, batch.target_tokens / least_tokens), 1, std::max<int64_t>(parts, 1));
  const int64_t all = batch.source_tokens + batch.target_tokens;
  std::vector<BatchPart> result;
  BatchPart part;
  modules::FirstTokens passed;
  for (int64_t row = 0; row < batch.rows; ++row) {
    const auto index = static_cast<size_t>(row);
    passed.source += batch.source_lengths[index];
    passed.target += batch.target_lengths[index];
    ++part.count;
    const auto ended = static_cast<int64_t>(result.size()) + 1;
    const int64_t rows_left = batch.rows - row - 1, parts_left = parts - ended;
    // What is passed of all tokens reaches the part's share, or the parts that follow need every sentence left.
    const bool full = (passed.source + passed.target) * parts >= all * ended || rows_left == parts_left;
    if (rows_left == 0 || (full && parts_left > 0)) {
      result.push_back(part);
      part = {row + 1, 0, passed};
    }
  }
  return result;
}

}  // namespace attnlab::training
