#pragma once
/// What a search sees of a model: rows of growing prefixes. Searches know nothing else of Transformers, caches or
/// devices.

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/decoding/top_k.h"
#include "modules/torch.h"

namespace attnlab::decoding {

/// A model that extends R prefixes by one token at a time. At first there is one row, with an empty prefix, for each of
/// the B sentences of the batch, in their order.
class StepModel {
 public:
  virtual ~StepModel() = default;

  /// Appends `tokens[r]` to the prefix of row r and gives the logits of the token after it: [R, V], on any device.
  virtual torch::Tensor next(const std::vector<int64_t>& tokens) = 0;

  /// The same, and the best k tokens of each row, as `log_softmax_top_k` gives them.
  virtual TopK best(const std::vector<int64_t>& tokens, int64_t k, std::span<const int32_t> banned = {}) {
    return log_softmax_top_k(next(tokens), k, banned);
  }

  /// Row i becomes what row `rows[i]` was: beams reordered, copied or dropped, and all rows of finished sentences with
  /// them.
  virtual void select(const std::vector<int64_t>& rows) = 0;
};

}  // namespace attnlab::decoding
