#pragma once
/// What shapes one attention of one layer. No torch here, so that a spec can be checked without it.

#include <cstdint>
#include <string>

#include "modules/options.h"

namespace attnlab::modules {

struct AttentionVariant;

struct MultiHeadAttentionOptions {
  MultiHeadAttentionOptions(int64_t d_model_, int64_t heads_)
      : d_model(d_model_), heads(heads_), d_k(d_model_ / heads_), d_v(d_k) {}
  /// As the whole model's options say, for one attention of one layer.
  MultiHeadAttentionOptions(const TransformerOptions& model, AttentionKind kind_, int64_t layer_);

  int64_t d_model;                              ///< D
  int64_t heads;                                ///< H
  int64_t d_k;                                  ///< width of a head's queries and keys
  int64_t d_v;                                  ///< width of a head's values
  bool bias = false;                            ///< biases b_q, b_k, b_v, b_o (the paper has none)
  double dropout = 0;                           ///< rate on the weights
  double initial_scale = 1;                     ///< gain of the start of W_V and W_O (DeepNorm's beta)
  std::string kernel = "auto";                  ///< a name of `attention/registry.h`
  AttentionKind kind = AttentionKind::encoder;  ///< which of the paper's three attentions it is
  int64_t layer = 0;                            ///< which layer of its stack it stands in, from 0
  const AttentionVariant* variant = nullptr;    ///< a kernel that the registry does not know; null: the one named above
};

}  // namespace attnlab::modules
