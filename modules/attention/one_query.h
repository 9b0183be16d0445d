#pragma once
/// Attention of one query for each row, straight on the keys and values of a pool: what every step of cached decoding
/// asks for. A general kernel needs a copy of them for each row, and spends most of such a call on setting up products
/// of one row.

#include "modules/attention/kernel.h"
#include "modules/attention/key_pool.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// True if `attend_one_query` can do what is asked: one query, float32 on the CPU, no bias, nothing dropped, and no
/// gradient.
bool is_one_query(const torch::Tensor& q, const KeyPool& pool, const AttentionCall& call);

/// `q` [R, H, 1, d_k] -> [R, H, 1, d_v]. A query that may see nothing gets 0.
torch::Tensor attend_one_query(const torch::Tensor& q, const KeyPool& pool, const AttentionCall& call);

}  // namespace attnlab::modules
