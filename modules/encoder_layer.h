#pragma once
/// One layer of the encoder, the left half of Figure 1: multi-head attention, add & norm, feed forward, add & norm.

#include "modules/context.h"
#include "modules/feed_forward.h"
#include "modules/multi_head_attention.h"
#include "modules/options.h"
#include "modules/sequence.h"
#include "modules/sublayer.h"
#include "modules/torch.h"

namespace attnlab::modules {

class EncoderLayerImpl : public torch::nn::Module {
 public:
  /// Layer number `layer` (from 0) of the encoder that `options` describe.
  EncoderLayerImpl(const TransformerOptions& options, int64_t layer);
  void reset_parameters(const Initializer& initializer);

  /// `x` [B, S, D] -> [B, S, D], or [N, D] -> [N, D] where the sequence has `rows`.
  torch::Tensor forward(const torch::Tensor& x, const Sequence& sequence, Context& context);

 private:
  MultiHeadAttention self_attention{nullptr};
  AddNorm self_attention_add_norm{nullptr};
  FeedForward feed_forward{nullptr};
  AddNorm feed_forward_add_norm{nullptr};
};
TORCH_MODULE(EncoderLayer);

/// The feed-forward network of the layers of one stack, as `options` describe it.
FeedForward make_feed_forward(const TransformerOptions& options, Stack stack);

}  // namespace attnlab::modules
