#pragma once
/// What a search sees of a model: rows of growing prefixes. Searches know nothing else of Transformers, caches or
/// devices.

#include <cstdint>
#include <vector>

#include "modules/torch.h"

namespace attnlab::decoding {

/// A model that extends R prefixes by one token at a time. At first there is one row, with an empty prefix, for each of
/// the B sentences of the batch, in their order.
class StepModel {
 public:
  virtual ~StepModel() = default;

  /// Appends `tokens[r]` to the prefix of row r and gives the logits of the token after it: [R, V], on any device.
  virtual torch::Tensor next(const std::vector<int64_t>& tokens) = 0;

  /// Row i becomes what row `rows[i]` was: beams reordered, copied or dropped, and all rows of finished sentences with
  /// them. Rows of one sentence stay together and sentences stay in order.
  virtual void select(const std::vector<int64_t>& rows) = 0;
};

}  // namespace attnlab::decoding
