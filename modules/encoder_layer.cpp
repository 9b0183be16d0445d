#include "modules/encoder_layer.h"

#include "modules/norms/registry.h"

namespace attnlab::modules {

using torch::Tensor;

EncoderLayerImpl::EncoderLayerImpl(const TransformerOptions& options, int64_t layer) {
  self_attention = register_module(
      "self_attention", MultiHeadAttention(MultiHeadAttentionOptions(options, AttentionKind::encoder, layer)));
  self_attention_add_norm = register_module("self_attention_add_norm", AddNorm(options, Stack::encoder));
  feed_forward = register_module("feed_forward", make_feed_forward(options, Stack::encoder));
  feed_forward_add_norm = register_module("feed_forward_add_norm", AddNorm(options, Stack::encoder));
}

void EncoderLayerImpl::reset_parameters(const Initializer& initializer) {
  self_attention->reset_parameters(initializer.at("self_attention"));
  self_attention_add_norm->reset_parameters(initializer.at("self_attention_add_norm"));
  feed_forward->reset_parameters(initializer.at("feed_forward"));
  feed_forward_add_norm->reset_parameters(initializer.at("feed_forward_add_norm"));
}

Tensor EncoderLayerImpl::forward(const Tensor& x, const Sequence& sequence, Context& context) {
  const auto attention = [&](const Tensor& y) {
    return self_attention->forward(y, sequence, /*cache=*/nullptr, context);
  };
  const auto network = [&](const Tensor& y) { return feed_forward->forward(y, context); };
  const auto attended = self_attention_add_norm->forward(x, attention, sequence.valid_rows(), context);
  return feed_forward_add_norm->forward(attended, network, sequence.valid_rows(), context);
}

FeedForward make_feed_forward(const TransformerOptions& options, Stack stack) {
  FeedForwardOptions feed_forward(options.d_model, options.d_ff);
  feed_forward.activation = options.activation;
  feed_forward.dropout = options.dropout.activation;
  feed_forward.initial_scale = placement_scales(options, stack).initial;
  return FeedForward(feed_forward);
}

}  // namespace attnlab::modules
