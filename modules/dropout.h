#pragma once
/// Dropout whose mask is a pure function of (seed, step, micro-batch, place, element): the same for every thread count,
/// for a batch in one piece or in several, and after a resume. On the CPU the mask comes from Philox4x32-7 (Salmon et
/// al. 2011) in a loop that the compiler vectorises; on CUDA from torch's own Philox, seeded with the same key.

#include <cstdint>

#include "modules/torch.h"

namespace attnlab::modules {

/// Names one mask.
struct DropoutKey {
  uint64_t seed = 0;           ///< the run's seed
  uint64_t step = 0;           ///< optimizer step, from 1
  uint32_t micro_batch = 0;    ///< which of the accumulated batches, from 0
  uint32_t place = 0;          ///< which dropout of the forward pass, in the order of calls
  int64_t first_row = 0;       ///< where the rows at hand begin among those of the whole batch
  int64_t first_sentence = 0;  ///< the same for sentences, which attention counts by
};

/// Hands out the keys of one forward pass, one for each place where something is dropped.
class DropoutStream {
 public:
  /// `first_sentence`: how many sentences of the batch come before those at hand.
  DropoutStream(uint64_t seed, uint64_t step, uint32_t micro_batch, int64_t first_sentence = 0)
      : key_{seed, step, micro_batch, 0, 0, first_sentence} {}
  /// How many rows of the batch come before those of the tensors that follow.
  void begin_at_row(int64_t first_row) { key_.first_row = first_row; }
  /// The next place's key.
  DropoutKey next() {
    DropoutKey key = key_;
    ++key_.place;
    return key;
  }

 private:
  DropoutKey key_;
};

/// Sets each element of `x` (any shape; rows are along its last dimension; float32 or bfloat16 or float64) to 0 with
/// probability `rate` and multiplies the others by 1 / (1 - rate). Differentiable; the mask is computed again in the
/// backward pass instead of being stored. `stream` null or `rate` 0 returns `x` itself. Throws std::invalid_argument
/// unless 0 <= rate < 1.
torch::Tensor dropout(const torch::Tensor& x, double rate, DropoutStream* stream);

/// residual + dropout(x): the same mask as `dropout` would draw, in one pass over memory.
torch::Tensor add_dropout(const torch::Tensor& residual, const torch::Tensor& x, double rate, DropoutStream* stream);

/// dropout(relu(x)): the same mask as `dropout` would draw. On the CPU in float32 in one pass over memory, and its
/// backward pass draws no mask.
torch::Tensor relu_dropout(const torch::Tensor& x, double rate, DropoutStream* stream);

}  // namespace attnlab::modules
