#pragma once
/// Keys and values that cached decoding keeps between steps.

#include <vector>

#include "modules/torch.h"

namespace attnlab::modules {

/// One decoder layer's keys and values, per head.
struct LayerCache {
  torch::Tensor self_key, self_value;  ///< [B, H, t, d_k] and [B, H, t, d_v]: the t positions decoded so far
  torch::Tensor cross_key,
      cross_value;                     ///< [B, H, S, d_k] and [B, H, S, d_v]: of the memory, computed at the first step
  torch::Tensor self_projection;       ///< [D, H*(2*d_k + d_v)]: W_Q, W_K and W_V side by side as a step's product is
                                       ///< fastest with them, made at the first step
  torch::Tensor self_projection_bias;  ///< [H*(2*d_k + d_v)]; undefined without biases

  /// Adds the keys and values [B, H, new, width] of the next positions. There is room for some more behind the last
  /// position, so most steps copy nothing else.
  void append(const torch::Tensor& key, const torch::Tensor& value);
};

/// All layers of one decoder. A new object is an empty cache.
struct DecoderCache {
  std::vector<LayerCache> layers;
  int64_t length = 0;  ///< positions decoded so far

  /// Keeps the rows named by `rows` [R] int64, in that order (repeats allowed): beams reordered, finished sentences
  /// dropped. The memory that is passed to the next step must be selected alike.
  void select(const torch::Tensor& rows);

  /// As `select`, where every row is followed by one of the same sentence: keys and values of the memory stay where
  /// they are, and so does the memory.
  void reorder(const torch::Tensor& rows);
};

}  // namespace attnlab::modules
