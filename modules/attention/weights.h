#pragma once
/// From scores to attention weights: mask, softmax and dropout.

#include "modules/attention/kernel.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// Weights of scores [B, H, Tq, Tk], as `Attended` has them.
struct AttentionWeights {
  torch::Tensor
      weights;  ///< softmax over the keys that may be seen; 0 elsewhere, and everywhere in a row that may see nothing
  torch::Tensor applied;  ///< after dropout; the same tensor where nothing is dropped
};

/// softmax(scale * scores) under the call's mask, then its dropout; the call's bias is not looked at. On the CPU, one
/// operation that reads each block of rows while it is in the cache; elsewhere `attention_weights_plain`.
AttentionWeights attention_weights(const torch::Tensor& scores, double scale, const AttentionCall& call);

/// The same, written in LibTorch's operations: for other devices, and the oracle of the other.
AttentionWeights attention_weights_plain(const torch::Tensor& scores, double scale, const AttentionCall& call);

}  // namespace attnlab::modules
