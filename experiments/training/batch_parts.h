#pragma once
/// A batch in several parts, for threads that each take one.

#include <cstdint>
#include <vector>

#include "experiments/data/batches.h"
#include "modules/transformer.h"

namespace attnlab::training {

/// Sentences `first` to `first + count - 1` of a batch.
struct BatchPart {
  int64_t first = 0, count = 0;
  modules::FirstTokens tokens;  ///< how many tokens of the batch come before the part's
};

/// Parts of about equally many tokens, source and target together, one behind the other; at most `parts`, each with at
/// least one sentence and, where there are several, at least `least_tokens` target tokens on average. The whole batch
/// if `parts` is 1.
std::vector<BatchPart> split(const data::Batch& batch, int64_t parts, int64_t least_tokens);

}  // namespace attnlab::training
