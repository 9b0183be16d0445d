#pragma once
/// The loops of norms that divide each row by its length and multiply by a gain: y_j = x_j / length(x) * gain_j. In the
/// widest vectors that the processor has, with equal results. No torch here.

#include <cstdint>

namespace attnlab::modules::cpu {

/// What is called the length of a row.
enum class LengthRule {
  root_mean_square,  ///< sqrt(mean of squares + epsilon): RMSNorm
  euclidean,         ///< sqrt(sum of squares), but at least epsilon: ScaleNorm
};

/// Rows of equal width, one behind the other.
struct LengthRows {
  int64_t width;
  LengthRule rule;
  double epsilon;
};

/// `out` [rows, width] and `inverse` [rows], 1 / length, from `x` and `gain` [width], for begin <= row < end. Compiled
/// for float and double.
template <class Number>
void divide_by_length(Number* out, Number* inverse, const Number* x, const Number* gain, int64_t begin, int64_t end,
                      const LengthRows& rows);

/// The gradients of x [rows, width], for begin <= row < end, and of the gain [width], which these rows' part is added
/// to, from that of the output.
template <class Number>
void divide_by_length_backward(Number* of_x, Number* of_gain, const Number* of_output, const Number* x,
                               const Number* gain, const Number* inverse, int64_t begin, int64_t end,
                               const LengthRows& rows);

}  // namespace attnlab::modules::cpu
