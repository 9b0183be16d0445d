#include "modules/attention/registry.h"
#include "modules/norms/registry.h"
#include "modules/options_check.h"
#include "modules/positions/registry.h"
#include "modules/transformer.h"

namespace attnlab::modules {

namespace {

int64_t attention_size(const TransformerOptions& o) {
  const int64_t keys = o.heads * o.key_width(), values = o.heads * o.value_width();
  const int64_t biases = o.attention_bias ? 2 * keys + values + o.d_model : 0;
  return 2 * o.d_model * keys + 2 * o.d_model * values + biases;
}

// Of the kernels of all attentions.
int64_t kernels_size(const AttentionVariant& kernel, const TransformerOptions& o) {
  if (kernel.parameters == nullptr) {
    return 0;
  }
  int64_t size = 0;
  for (int64_t layer = 0; layer < o.encoder_layers; ++layer) {
    size += kernel.parameters({o, AttentionKind::encoder, layer});
  }
  for (int64_t layer = 0; layer < o.decoder_layers; ++layer) {
    size += kernel.parameters({o, AttentionKind::decoder, layer}) + kernel.parameters({o, AttentionKind::cross, layer});
  }
  return size;
}

int64_t feed_forward_size(const TransformerOptions& o) {
  return 2 * o.d_model * o.d_ff + o.d_ff + o.d_model;
}

int64_t positions_size(const PositionOptions& positions, const TransformerOptions& o, Stack stack) {
  const auto* variant = find_positions(positions.type);
  return variant->parameters != nullptr ? variant->parameters(positions, o, stack) : 0;
}

int64_t embeddings_size(const TransformerOptions& o) {
  const int64_t source = o.source_vocab * o.d_model, target = o.target_vocab * o.d_model;
  if (o.tying == "three_way") {
    return source;
  }
  return source + (o.tying == "two_way" ? target : 2 * target);
}

}  // namespace

int64_t parameter_count(const TransformerOptions& o) {
  require_possible(o);
  return parameter_count(o, *find_attention(o.attention));
}

int64_t parameter_count(const TransformerOptions& o, const AttentionVariant& attention) {
  require_possible(o);
  const auto placement = find_placement(o.norm.placement)->traits;
  const int64_t norm = find_norm(o.norm.type)->parameters(o.d_model);
  const int64_t add_norm = placement.norms * norm;
  const int64_t encoder_layer = attention_size(o) + feed_forward_size(o) + 2 * add_norm;
  const int64_t decoder_layer = 2 * attention_size(o) + feed_forward_size(o) + 3 * add_norm;
  return o.encoder_layers * encoder_layer + o.decoder_layers * decoder_layer + kernels_size(attention, o) +
         (placement.final_norm ? 2 * norm : 0) + positions_size(o.encoder_positions, o, Stack::encoder) +
         positions_size(o.decoder_positions, o, Stack::decoder) + embeddings_size(o);
}

}  // namespace attnlab::modules
