#pragma once
/// Multi-head attention (section 3.2.2): H heads of softmax(QK^T/sqrt(d_k))V, concatenated and projected back by W_O.
/// Which way a call goes from the projections to the concatenated heads is said in `attention/route.h`.

#include <memory>

#include "modules/arranged_decoder.h"
#include "modules/attention/kernel.h"
#include "modules/attention/options.h"
#include "modules/attention/packed.h"
#include "modules/attention/registry.h"
#include "modules/context.h"
#include "modules/decoder_cache.h"
#include "modules/sequence.h"
#include "modules/torch.h"

namespace attnlab::modules {

class MultiHeadAttentionImpl : public torch::nn::Module {
 public:
  /// Throws attnlab::Error for an unknown kernel.
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

  /// Its matrices for steps of cached decoding, as its kind needs them.
  ArrangedAttention arranged() const;

 private:
  // Projections as the packed operation takes them; `memory` undefined: self-attention.
  PackedHeads packed(const torch::Tensor& queries, const torch::Tensor& memory = {}, const TokenRows* rows = nullptr,
                     const TokenRows* memory_rows = nullptr) const;
  // The concatenated heads of self-attention: [B, T, H*d_v], or [N, H*d_v] with rows; `pool` null: no cache.
  torch::Tensor attend_to_itself(const PackedHeads& projected, const Sequence& sequence, KeyPool* pool,
                                 AttentionCall call, Context& context);
  // The same in one operation, for `takes_packed`.
  torch::Tensor attend_packed(const PackedHeads& projected, const AttentionCall& call, Context& context);
  // The same of queries [R, H, T, d_k], to what a cache holds.
  torch::Tensor attend_to_pool(const torch::Tensor& q, const KeyPool& pool, const AttentionCall& call,
                               Context& context);
  // By the kernel, head by head.
  Attended attend(const Heads& heads, const AttentionCall& call, Context& context);
  // Hands the recorder the weights of a call whose output was computed without them.
  void record(const torch::Tensor& q, const torch::Tensor& k, AttentionCall call, Context& context);
  // Heads' outputs [B, H, T, d_v], gated and side by side: [B, T, H*d_v].
  torch::Tensor concatenated(torch::Tensor output, const Context& context) const;
  // Of its heads [H]; undefined: all ones.
  torch::Tensor gates(const Context& context) const;

  MultiHeadAttentionOptions options_;
  torch::Tensor w_q, w_k, w_v;  // [H*d_k, D], [H*d_k, D], [H*d_v, D]
  torch::Tensor w_o;            // [D, H*d_v]
  torch::Tensor b_q, b_k, b_v;  // undefined without biases
  torch::Tensor b_o;
  KernelTraits traits_;
  std::shared_ptr<AttentionKernel> kernel;
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace attnlab::modules
