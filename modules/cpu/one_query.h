#pragma once
/// The loops of attention of one query. No torch here.

#include <cstdint>

namespace attnlab::modules::cpu {

/// Keys or values of one head: row j begins at data + j * stride and has `width` numbers.
struct KeyRows {
  const float* data;
  int64_t stride, width;
};

/// output = softmax(scale * q . keys) values, over the first `count` of them; zeros where that is none. `weights` is
/// room for `count` numbers.
void attend_one(float* output, const float* q, const KeyRows& keys, const KeyRows& values, int64_t count, float scale,
                float* weights);

}  // namespace attnlab::modules::cpu
