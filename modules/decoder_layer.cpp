#include "modules/decoder_layer.h"

#include "modules/encoder_layer.h"

namespace attnlab::modules {

using torch::Tensor;

DecoderLayerImpl::DecoderLayerImpl(const TransformerOptions& options, int64_t layer) {
  self_attention = register_module(
      "self_attention", MultiHeadAttention(MultiHeadAttentionOptions(options, AttentionKind::decoder, layer)));
  self_attention_add_norm = register_module("self_attention_add_norm", AddNorm(options, Stack::decoder));
  cross_attention = register_module(
      "cross_attention", MultiHeadAttention(MultiHeadAttentionOptions(options, AttentionKind::cross, layer)));
  cross_attention_add_norm = register_module("cross_attention_add_norm", AddNorm(options, Stack::decoder));
  feed_forward = register_module("feed_forward", make_feed_forward(options, Stack::decoder));
  feed_forward_add_norm = register_module("feed_forward_add_norm", AddNorm(options, Stack::decoder));
}

void DecoderLayerImpl::reset_parameters(const Initializer& initializer) {
  self_attention->reset_parameters(initializer.at("self_attention"));
  self_attention_add_norm->reset_parameters(initializer.at("self_attention_add_norm"));
  cross_attention->reset_parameters(initializer.at("cross_attention"));
  cross_attention_add_norm->reset_parameters(initializer.at("cross_attention_add_norm"));
  feed_forward->reset_parameters(initializer.at("feed_forward"));
  feed_forward_add_norm->reset_parameters(initializer.at("feed_forward_add_norm"));
}

Tensor DecoderLayerImpl::forward(const Tensor& x, const Sequence& sequence, const Tensor& memory,
                                 const Visible& memory_visible, LayerCache* cache, Context& context) {
  const auto masked = [&](const Tensor& y) {
    return self_attention->forward(y, sequence, cache != nullptr ? &cache->self : nullptr, context);
  };
  const auto cross = [&](const Tensor& y) {
    return cross_attention->forward(y, memory, memory_visible, cache != nullptr ? &cache->cross : nullptr, context,
                                    sequence.rows, sequence.memory_rows);
  };
  const auto network = [&](const Tensor& y) {
    return feed_forward->forward(y, context, cache != nullptr ? cache->feed_forward : nullptr);
  };
  const auto attended = self_attention_add_norm->forward(x, masked, sequence.valid_rows(), context);
  const auto informed = cross_attention_add_norm->forward(attended, cross, sequence.valid_rows(), context);
  return feed_forward_add_norm->forward(informed, network, sequence.valid_rows(), context);
}

ArrangedLayer DecoderLayerImpl::arranged() const {
  return {self_attention->arranged(), cross_attention->arranged(), feed_forward->arranged()};
}

}  // namespace attnlab::modules
