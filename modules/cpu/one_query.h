#pragma once
/// The loops of attention of one query. No torch here.

#include <cstdint>

namespace attnlab::modules::cpu {

/// Keys or values of all heads: the row at place p begins at data + p * stride, and head h has `width` numbers from
/// h * width on.
struct PooledRows {
  const float* data;
  int64_t stride, width;
};

/// For each of `heads`: output = softmax(scale * q . keys) values, over the first `count` of `places`; zeros where that
/// is none. `q` [heads, d_k] and `output` [heads, d_v] side by side; `weights` is room for `heads * count` numbers.
void attend_one(float* output, const float* q, const PooledRows& keys, const PooledRows& values, const int64_t* places,
                int64_t count, int64_t heads, float scale, float* weights);

}  // namespace attnlab::modules::cpu
