#pragma once
/// What cached decoding keeps between steps: the keys and values that it has seen.

#include <cstdint>
#include <optional>
#include <vector>

#include "modules/arranged_decoder.h"
#include "modules/attention/key_pool.h"
#include "modules/attention/visible.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// One attention.
struct AttentionCache {
  const ArrangedAttention* weights;  ///< what its steps multiply by
  KeyPool pool;  ///< self-attention: of the positions decoded so far; cross-attention: of the memory, from the first
                 ///< step on
};

/// One decoder layer.
struct LayerCache {
  explicit LayerCache(const ArrangedLayer& weights)
      : self{&weights.self, {}}, cross{&weights.cross, {}}, feed_forward(&weights.feed_forward) {}

  AttentionCache self, cross;
  const ArrangedFeedForward* feed_forward;
};

/// All layers of one decoder, for R rows of prefixes over the B sentences of a memory. A new object is an empty cache
/// with a row for each sentence.
class DecoderCache {
 public:
  /// `weights` must outlive the cache.
  explicit DecoderCache(const ArrangedDecoder& weights) : layers_(weights.layers.begin(), weights.layers.end()) {}

  /// Keeps the rows named by `rows` [R] int64, in that order (repeats allowed): beams reordered, finished ones dropped.
  /// Keys and values stay where they are, and the memory stays as it is.
  void select(const torch::Tensor& rows);

  /// Positions decoded so far.
  int64_t length() const { return self_places_.defined() ? self_places_.size(1) : 0; }

  /// Makes places for `count` more positions of each of `rows` rows, over a memory of `memory_length` positions.
  void begin_step(int64_t rows, int64_t count, int64_t memory_length, torch::Device device);
  LayerCache& layer(size_t index) { return layers_[index]; }

  /// What each row may see of a memory with `lengths` [B] of `memory_length` positions.
  const Visible& memory_visible(const torch::Tensor& lengths, int64_t memory_length, torch::Device device);

 private:
  std::vector<LayerCache> layers_;
  torch::Tensor sentences_;                // [R] int64: each row's; undefined: row r is sentence r
  torch::Tensor self_places_;              // [R, length]; undefined before the first step
  torch::Tensor cross_places_;             // [R, S]; undefined before the first step
  std::optional<Visible> memory_visible_;  // of the present rows, once asked for
};

}  // namespace attnlab::modules
