#include "modules/attention/options.h"

#include "modules/norms/registry.h"

namespace attnlab::modules {

MultiHeadAttentionOptions::MultiHeadAttentionOptions(const TransformerOptions& model, AttentionKind kind_,
                                                     int64_t layer_)
    : d_model(model.d_model),
      heads(model.heads),
      d_k(model.key_width()),
      d_v(model.value_width()),
      bias(model.attention_bias),
      dropout(model.dropout.attention),
      initial_scale(placement_scales(model, kind_ == AttentionKind::encoder ? Stack::encoder : Stack::decoder).initial),
      kernel(model.attention),
      kind(kind_),
      layer(layer_) {}

}  // namespace attnlab::modules
