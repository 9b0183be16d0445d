#pragma once
/// The loops of attention of one head on a CPU, forward and backward, with their small matrix products: for heads that
/// stand side by side in wider rows, as projections leave them. No torch here.
///
/// Products are accumulated by fused multiply-add in an order that depends on the sizes alone. There is no version for
/// processors without AVX2 or AVX-512: ask `has_attention` first.

#include <cstdint>

#include "modules/cpu/drop.h"

namespace attnlab::modules::cpu {

/// True if this processor has the vectors that the loops are made for.
bool has_attention();

/// Rows of weights are padded to this. Heads whose d_k and d_v are multiples of it are read where they stand, others
/// are copied.
constexpr int64_t attention_lanes = 16;

/// Tk as the rows of stored weights have it.
constexpr int64_t padded_keys(int64_t keys) {
  return (keys + attention_lanes - 1) / attention_lanes * attention_lanes;
}

/// Rows of one head: row i begins at data + i * stride.
template <class Number>
struct HeadRows {
  Number* data;
  int64_t stride;
  Number* row(int64_t i) const { return data + i * stride; }
};

/// What is the same for all heads of a call.
struct AttentionShape {
  int64_t queries, keys;  ///< Tq, Tk: of the padded batch, also where heads have fewer rows
  int64_t d_k, d_v;
  bool causal;              ///< query i sees keys 0..(Tk - Tq + i)
  float scale;              ///< of the scores
  const Mask* mask;         ///< dropout of weights, null = none; element (i, j) of head n (counted over the batch) is
                            ///< its element (n * Tq + i) * Tk + j
  int64_t scratch() const;  ///< floats of scratch memory that one head needs
  bool in_place() const { return d_k % attention_lanes == 0 && d_v % attention_lanes == 0; }
  /// How many keys query i sees when `seen` are no padding.
  int64_t visible(int64_t query, int64_t seen) const {
    const int64_t past = causal ? query + keys - queries + 1 : keys;
    return past < 0 ? 0 : past < seen ? past : seen;
  }
};

/// One head's inputs.
struct AttentionHead {
  int64_t index;          ///< b * H + h
  int64_t seen;           ///< how many of the first keys are no padding
  int64_t queries, keys;  ///< rows that there are; the shape's Tq and Tk unless padding is left out
  HeadRows<const float> q, k, v;
};

/// Output rows of d_v numbers for the head's queries, and `weights` [Tq, padded_keys(Tk)] for the backward pass: those
/// that were dropped are stored as negative numbers.
void attend(const AttentionShape& shape, const AttentionHead& head, HeadRows<float> output, float* weights,
            float* scratch);

/// The gradients of q, k and v from that of the output. Writes every row of all three that there is.
void attend_backward(const AttentionShape& shape, const AttentionHead& head, const float* weights,
                     HeadRows<const float> of_output, HeadRows<float> of_q, HeadRows<float> of_k, HeadRows<float> of_v,
                     float* scratch);

}  // namespace attnlab::modules::cpu
