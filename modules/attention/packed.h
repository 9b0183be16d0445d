#pragma once
/// Attention straight from projections to the input of W_O, for training on a CPU: heads stay side by side in the rows
/// where matrix products leave and want them, so no head is copied, and gradients are written where the projection's
/// backward pass reads them. Mask, softmax and dropout happen on the way; what nobody may see is not computed.

#include "modules/attention/kernel.h"
#include "modules/token_rows.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// Rows of H*d_k queries, H*d_k keys and H*d_v values side by side, float32 or bfloat16 on the CPU. [B, T, ...] with
/// padding, or [N, ...] without: then `query_rows` (and `memory_rows`) say where sequences begin.
struct PackedHeads {
  torch::Tensor queries;  ///< [B, Tq, H*d_k]; where `memory` is undefined [B, T, H*(2*d_k + d_v)], all three
  torch::Tensor memory;   ///< keys and values [B, Tk, H*(d_k + d_v)]; undefined in self-attention
  int64_t heads, d_k, d_v;
  const TokenRows* query_rows = nullptr;
  const TokenRows* memory_rows = nullptr;

  bool self() const { return !memory.defined(); }
};

/// Heads of their own.
struct Heads {
  torch::Tensor q;  ///< [B, H, Tq, d_k]
  torch::Tensor k;  ///< [B, H, Tk, d_k]
  torch::Tensor v;  ///< [B, H, Tk, d_v]
};

/// The same heads one by one, with padding.
Heads unpacked(const PackedHeads& packed);

/// The heads of rows `x` [B, T, H*d] one by one: [B, H, T, d].
torch::Tensor one_by_one(const torch::Tensor& x, int64_t heads);

/// True if `packed_attention` can do what is asked on this processor: float32 or bfloat16 on the CPU, and no bias.
bool can_pack(const PackedHeads& packed, const AttentionCall& call);

/// The heads' outputs [B, Tq, H*d_v], or [N, H*d_v]. Computes in float32, and gives the type of the queries. Drops the
/// same weights as the explicit kernel does on the padded batch. Results do not depend on the number of threads.
torch::Tensor packed_attention(const PackedHeads& packed, const AttentionCall& call);

}  // namespace attnlab::modules
