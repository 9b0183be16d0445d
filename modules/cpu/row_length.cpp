#include "modules/cpu/row_length.h"

#include <cmath>

#include "modules/cpu/fold.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

namespace {

template <class Number>
ATTNLAB_INLINE Number inverse_length(Number squares, const LengthRows& rows) {
  const auto epsilon = static_cast<Number>(rows.epsilon);
  if (rows.rule == LengthRule::root_mean_square) {
    return Number{1} / std::sqrt(squares / static_cast<Number>(rows.width) + epsilon);
  }
  const Number length = std::sqrt(squares);
  return Number{1} / (length < epsilon ? epsilon : length);  // NaN stays
}

// d(1 / length) / dx_j = -x_j * this.
template <class Number>
ATTNLAB_INLINE Number slope(Number inverse, const LengthRows& rows) {
  const Number cube = inverse * inverse * inverse;
  if (rows.rule == LengthRule::root_mean_square) {
    return cube / static_cast<Number>(rows.width);
  }
  const bool is_epsilon = inverse >= Number{1} / static_cast<Number>(rows.epsilon);
  return is_epsilon ? Number{0} : cube;
}

template <class Number, class Term>
ATTNLAB_INLINE Number sum(int64_t count, const Term& term) {
  return folded(
      count, Number{0}, term, [](Number a, Number b) __attribute__((always_inline)) { return a + b; });
}

template <class Number>
struct Divide {
  ATTNLAB_INLINE static void run(Number* out, Number* inverse, const Number* x, const Number* gain, int64_t begin,
                                 int64_t end, const LengthRows* rows) {
    const int64_t width = rows->width;
    for (int64_t row = begin; row < end; ++row) {
      const Number* from = x + row * width;
      Number* to = out + row * width;
      const Number factor =
          inverse_length(sum<Number>(
                             width, [&](int64_t j) __attribute__((always_inline)) { return from[j] * from[j]; }),
                         *rows);
      inverse[row] = factor;
      for (int64_t j = 0; j < width; ++j) {
        to[j] = from[j] * factor * gain[j];
      }
    }
  }
};

template <class Number>
struct DivideBackward {
  ATTNLAB_INLINE static void run(Number* of_x, Number* of_gain, const Number* of_output, const Number* x,
                                 const Number* gain, const Number* inverse, int64_t begin, int64_t end,
                                 const LengthRows* rows) {
    const int64_t width = rows->width;
    for (int64_t row = begin; row < end; ++row) {
      const Number* from = x + row * width;
      const Number* gradient = of_output + row * width;
      Number* to = of_x + row * width;
      const Number factor = inverse[row];
      const Number along = sum<Number>(
          width, [&](int64_t j) __attribute__((always_inline)) { return gradient[j] * gain[j] * from[j]; });
      const Number pull = slope(factor, *rows) * along;
      for (int64_t j = 0; j < width; ++j) {
        to[j] = gradient[j] * gain[j] * factor - from[j] * pull;
      }
      for (int64_t j = 0; j < width; ++j) {
        of_gain[j] += gradient[j] * from[j] * factor;
      }
    }
  }
};

}  // namespace

template <class Number>
void divide_by_length(Number* out, Number* inverse, const Number* x, const Number* gain, int64_t begin, int64_t end,
                      const LengthRows& rows) {
  multiversion<Divide<Number>>(out, inverse, x, gain, begin, end, &rows);
}

template <class Number>
void divide_by_length_backward(Number* of_x, Number* of_gain, const Number* of_output, const Number* x,
                               const Number* gain, const Number* inverse, int64_t begin, int64_t end,
                               const LengthRows& rows) {
  multiversion<DivideBackward<Number>>(of_x, of_gain, of_output, x, gain, inverse, begin, end, &rows);
}

template void divide_by_length(float*, float*, const float*, const float*, int64_t, int64_t, const LengthRows&);
template void divide_by_length(double*, double*, const double*, const double*, int64_t, int64_t, const LengthRows&);
template void divide_by_length_backward(float*, float*, const float*, const float*, const float*, const float*, int64_t,
                                        int64_t, const LengthRows&);
template void divide_by_length_backward(double*, double*, const double*, const double*, const double*, const double*,
                                        int64_t, int64_t, const LengthRows&);

}  // namespace attnlab::modules::cpu
