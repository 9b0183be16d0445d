#pragma once
/// Dropout whose mask is a pure function of (seed, step, micro-batch, place, element): the same for every thread count
/// and after a resume. On the CPU the mask comes from Philox4x32-7 (Salmon et al. 2011) in a loop that the compiler
/// vectorises; on CUDA from torch's own Philox, seeded with the same key.

#include <cstdint>

#include <torch/torch.h>

namespace attnlab::modules {

/// Names one mask.
struct DropoutKey {
  uint64_t seed = 0;         ///< the run's seed
  uint64_t step = 0;         ///< optimizer step, from 1
  uint32_t micro_batch = 0;  ///< which of the accumulated batches, from 0
  uint32_t place = 0;        ///< which dropout of the forward pass, in the order of calls
};

/// Hands out the keys of one forward pass, one for each place where something is dropped.
class DropoutStream {
 public:
  DropoutStream(uint64_t seed, uint64_t step, uint32_t micro_batch) : key_{seed, step, micro_batch, 0} {}
  /// The next place's key.
  DropoutKey next() {
    DropoutKey key = key_;
    ++key_.place;
    return key;
  }

 private:
  DropoutKey key_;
};

/// Sets each element of `x` (any shape, float32 or bfloat16 or float64) to 0 with probability `rate` and multiplies the
/// others by 1 / (1 - rate). Differentiable; the mask is computed again in the backward pass instead of being stored.
/// `stream` null or `rate` 0 returns `x` itself. Throws std::invalid_argument unless 0 <= rate < 1.
torch::Tensor dropout(const torch::Tensor& x, double rate, DropoutStream* stream);

/// residual + dropout(x): the same mask as `dropout` would draw, in one pass over memory.
torch::Tensor add_dropout(const torch::Tensor& residual, const torch::Tensor& x, double rate, DropoutStream* stream);

/// dropout(relu(x)): the same mask as `dropout` would draw. On the CPU in float32 in one pass over memory, and its
/// backward pass draws no mask.
torch::Tensor relu_dropout(const torch::Tensor& x, double rate, DropoutStream* stream);

}  // namespace attnlab::modules
