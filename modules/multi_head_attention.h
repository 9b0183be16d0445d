#pragma once
/// Multi-head attention (section 3.2.2): H heads of softmax(QK^T/sqrt(d_k))V, concatenated and projected back by W_O.

#include <memory>
#include <string>

#include "modules/attention/kernel.h"
#include "modules/attention/packed.h"
#include "modules/attention/registry.h"
#include "modules/context.h"
#include "modules/decoder_cache.h"
#include "modules/options.h"
#include "modules/sequence.h"
#include "modules/torch.h"

namespace attnlab::modules {

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
  std::string kernel = "auto";                  ///< a name of `attention/registry.h`, or `auto`
  AttentionKind kind = AttentionKind::encoder;  ///< which of the paper's three attentions it is, for recorder and gates
  int64_t layer = 0;                            ///< which layer of its stack it stands in, from 0
};

class MultiHeadAttentionImpl : public torch::nn::Module {
 public:
  explicit MultiHeadAttentionImpl(const MultiHeadAttentionOptions& options);
  void reset_parameters(const Initializer& initializer);

  /// Self-attention: `x` [B, T, D] -> [B, T, D], or [N, D] -> [N, D] where the sequence has `rows`. With a `cache`, x
  /// are the next positions and see those that the cache holds, too; its places name them already.
  torch::Tensor forward(const torch::Tensor& x, const Sequence& sequence, AttentionCache* cache, Context& context);

  /// Cross-attention: queries from `x` [B, T, D], keys and values from `memory` [B, S, D] -> [B, T, D]. With a `cache`,
  /// keys and values are computed at the first call only, and its rows may be others than the memory's. `rows` not
  /// null: x is [N, D], these rows of it, and gives [N, D]; `memory_rows` says the same of the memory.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& memory, const Visible& visible,
                        AttentionCache* cache, Context& context, const TokenRows* rows = nullptr,
                        const TokenRows* memory_rows = nullptr);

 private:
  torch::Tensor heads(const torch::Tensor& x, int64_t width) const;
  // Self-attention of heads of their own, from projections [B, T, H*(2*d_k + d_v)] -> [B, T, H*d_v]; `pool` null: no
  // cache.
  torch::Tensor attend_to_itself(const torch::Tensor& projected, const Sequence& sequence, KeyPool* pool,
                                 AttentionCall call, Context& context);
  // Attention of `q` [R, H, T, d_k] to what a cache holds -> [R, T, H*d_v].
  torch::Tensor attend_to_pool(const torch::Tensor& q, const KeyPool& pool, const AttentionCall& call,
                               Context& context);
  // Heads' outputs [B, H, T, d_v], gated and side by side: [B, T, H*d_v].
  torch::Tensor join(torch::Tensor output, const Context& context) const;
  Attended attend(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v, AttentionCall call,
                  bool needs_weights, Context& context);
  // True if one operation can do all that is asked without heads of their own.
  bool packs(const PackedHeads& packed, const AttentionCall& call, const Context& context) const;

  MultiHeadAttentionOptions options_;
  torch::Tensor w_q, w_k, w_v;  // [H*d_k, D], [H*d_k, D], [H*d_v, D]
  torch::Tensor w_o;            // [D, H*d_v]
  torch::Tensor b_q, b_k, b_v;  // undefined without biases
  torch::Tensor b_o;
  KernelTraits traits_;
  std::shared_ptr<AttentionKernel> kernel;
  std::shared_ptr<AttentionKernel> fallback_;  // the explicit kernel, for what the chosen one cannot do
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace attnlab::modules
