#pragma once
/// The loops of masked softmax on a CPU, forward and backward, vectorised like `cpu/drop.h`. No torch here.

#include <cstdint>

namespace attnlab::modules::cpu {

/// Rows of scores [B, H, Tq, Tk] and how much of each may be seen: always a front part, since padding is on the right.
struct Rows {
  int64_t rows_of_batch = 1;        ///< H * Tq
  int64_t queries = 1;              ///< Tq
  int64_t keys = 1;                 ///< Tk
  const int64_t* counts = nullptr;  ///< [B]: how many keys are no padding; null = all
  bool causal = false;              ///< query i sees keys 0..(Tk - Tq + i)

  int64_t visible(int64_t row) const {
    int64_t seen = counts != nullptr ? counts[row / rows_of_batch] : keys;
    if (causal) {
      const int64_t past = row % queries + keys - queries + 1;
      seen = past < 0 ? 0 : past < seen ? past : seen;
    }
    return seen;
  }
};

/// weights[row] = softmax(scale * scores[row]) over what the row may see, 0 elsewhere, for begin <= row < end. A row
/// that sees nothing becomes 0.
void softmax(float* weights, const float* scores, int64_t begin, int64_t end, const Rows& rows, float scale);
void softmax(double* weights, const double* scores, int64_t begin, int64_t end, const Rows& rows, double scale);

/// The gradient of the scores, from that of the weights: scale * w * (g - sum(g * w)). `gradient` and `out` begin at
/// row `begin`.
void softmax_backward(float* out, const float* weights, const float* gradient, int64_t begin, int64_t end,
                      const Rows& rows, float scale);
void softmax_backward(double* out, const double* weights, const double* gradient, int64_t begin, int64_t end,
                      const Rows& rows, double scale);

}  // namespace attnlab::modules::cpu
