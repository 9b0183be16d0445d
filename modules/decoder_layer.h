#pragma once
/// One layer of the decoder, the right half of Figure 1: masked multi-head attention, attention over the encoder's
/// output, feed forward, each with add & norm.

#include "modules/context.h"
#include "modules/decoder_cache.h"
#include "modules/feed_forward.h"
#include "modules/multi_head_attention.h"
#include "modules/options.h"
#include "modules/sequence.h"
#include "modules/sublayer.h"
#include "modules/torch.h"

namespace attnlab::modules {

class DecoderLayerImpl : public torch::nn::Module {
 public:
  /// Layer number `layer` (from 0) of the decoder that `options` describe.
  DecoderLayerImpl(const TransformerOptions& options, int64_t layer);
  void reset_parameters(const Initializer& initializer);

  /// `x` [B, T, D], `memory` [B, S, D] -> [B, T, D], or [N, D] and [M, D] -> [N, D] where the sequence has `rows` and
  /// `memory_rows`. `memory_visible`: what may be seen of the memory. `cache` null: no cache; else x are the next
  /// positions of its rows [R, T, D].
  torch::Tensor forward(const torch::Tensor& x, const Sequence& sequence, const torch::Tensor& memory,
                        const Visible& memory_visible, LayerCache* cache, Context& context);

  /// Its matrices for steps of cached decoding.
  ArrangedLayer arranged() const;

 private:
  MultiHeadAttention self_attention{nullptr};
  AddNorm self_attention_add_norm{nullptr};
  MultiHeadAttention cross_attention{nullptr};
  AddNorm cross_attention_add_norm{nullptr};
  FeedForward feed_forward{nullptr};
  AddNorm feed_forward_add_norm{nullptr};
};
TORCH_MODULE(DecoderLayer);

}  // namespace attnlab::modules
