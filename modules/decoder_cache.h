#pragma once
/// What cached decoding keeps between steps: keys and values, and matrices arranged for products of a few rows.

#include <cstdint>
#include <vector>

#include "modules/attention/key_pool.h"
#include "modules/attention/visible.h"
#include "modules/prepacked.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// One attention: what it has seen, and its matrices as steps are fastest with them, made at the first step.
struct AttentionCache {
  KeyPool pool;          ///< self-attention: of the positions decoded so far; cross-attention: of the memory
  Prepacked projection;  ///< self-attention: W_Q, W_K and W_V side by side; cross-attention: W_Q
  Prepacked output;      ///< W_O
};

/// One decoder layer.
struct LayerCache {
  AttentionCache self, cross;
  Prepacked ffn_inner, ffn_outer;  ///< W_1 and W_2
};

/// All layers of one decoder, for R rows of prefixes over the B sentences of a memory. A new object is an empty cache
/// with a row for each sentence.
class DecoderCache {
 public:
  /// Keeps the rows named by `rows` [R] int64, in that order (repeats allowed): beams reordered, finished ones dropped.
  /// Keys and values stay where they are, and the memory stays as it is.
  void select(const torch::Tensor& rows);

  /// Positions decoded so far.
  int64_t length() const { return length_; }

  /// Makes places for `count` more positions of each of `rows` rows, over a memory of `memory_length` positions.
  void begin_step(size_t layers, int64_t rows, int64_t count, int64_t memory_length, torch::Device device);
  LayerCache& layer(size_t index) { return layers_[index]; }

  /// What each row may see of a memory with `lengths` [B] of `memory_length` positions.
  const Visible& memory_visible(const torch::Tensor& lengths, int64_t memory_length, torch::Device device);

 private:
  std::vector<LayerCache> layers_;
  int64_t length_ = 0;
  int64_t used_ = 0;            // places of self-attention
  torch::Tensor sentences_;     // [R] int64: each row's; undefined: row r is sentence r
  torch::Tensor self_places_;   // [R, length]
  torch::Tensor cross_places_;  // [R, S]; undefined before the first step
  Visible memory_visible_;
  bool knows_visible_ = false;
};

}  // namespace attnlab::modules
