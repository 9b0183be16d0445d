#pragma once
/// Attention of one query for each sentence, straight on the keys and values of a cache: what every step of cached
/// decoding asks for. A general kernel spends most of such a call on setting up products of one row.

#include "modules/attention/kernel.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// True if `attend_one_query` can do what is asked: one query, float32 on the CPU, no bias, nothing dropped, and no
/// gradient.
bool is_one_query(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v, const AttentionCall& call);

/// `q` [B, H, 1, d_k], `k` [B, H, Tk, d_k], `v` [B, H, Tk, d_v] -> [B, H, 1, d_v]. A query that may see nothing gets 0.
torch::Tensor attend_one_query(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                               const AttentionCall& call);

}  // namespace attnlab::modules
