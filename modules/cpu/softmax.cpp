#include "modules/cpu/softmax.h"

#include <cmath>
#include <limits>

#include "modules/cpu/exponential.h"
#include "modules/cpu/fold.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

namespace {

template <class Number>
struct Softmax {
  ATTNLAB_INLINE static void run(Number* weights, const Number* scores, int64_t begin, int64_t end, const Rows* rows,
                                 Number scale) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t seen = rows->visible(row);
      const Number* s = scores + row * rows->keys;
      Number* w = weights + row * rows->keys;
      const Number lowest = -std::numeric_limits<Number>::infinity();
      const Number largest = folded(
          seen, lowest, [&](int64_t j) __attribute__((always_inline)) { return s[j]; },
          [](Number a, Number b) __attribute__((always_inline)) { return a < b ? b : a; });
      for (int64_t j = 0; j < seen; ++j) {
        w[j] = exponential((s[j] - largest) * scale);
      }
      const Number total = folded(
          seen, Number{0}, [&](int64_t j) __attribute__((always_inline)) { return w[j]; },
          [](Number a, Number b) __attribute__((always_inline)) { return a + b; });
      const Number share = Number{1} / total;
      for (int64_t j = 0; j < seen; ++j) {
        w[j] *= share;
      }
      for (int64_t j = seen; j < rows->keys; ++j) {
        w[j] = 0;
      }
    }
  }
};

template <class Number>
struct SoftmaxBackward {
  ATTNLAB_INLINE static void run(Number* out, const Number* weights, const Number* gradient, int64_t begin, int64_t end,
                                 const Rows* rows, Number scale) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t seen = rows->visible(row);
      const Number* w = weights + row * rows->keys;
      const Number* g = gradient + row * rows->keys;
      Number* o = out + row * rows->keys;
      const Number mean = folded(
          seen, Number{0}, [&](int64_t j) __attribute__((always_inline)) { return w[j] * g[j]; },
          [](Number a, Number b) __attribute__((always_inline)) { return a + b; });
      for (int64_t j = 0; j < seen; ++j) {
        o[j] = scale * (w[j] * (g[j] - mean));
      }
      for (int64_t j = seen; j < rows->keys; ++j) {
        o[j] = 0;
      }
    }
  }
};

}  // namespace

void softmax(float* weights, const float* scores, int64_t begin, int64_t end, const Rows& rows, float scale) {
  multiversion<Softmax<float>>(weights, scores, begin, end, &rows, scale);
}
void softmax(double* weights, const double* scores, int64_t begin, int64_t end, const Rows& rows, double scale) {
  multiversion<Softmax<double>>(weights, scores, begin, end, &rows, scale);
}

void softmax_backward(float* out, const float* weights, const float* gradient, int64_t begin, int64_t end,
                      const Rows& rows, float scale) {
  multiversion<SoftmaxBackward<float>>(out, weights, gradient, begin, end, &rows, scale);
}
void softmax_backward(double* out, const double* weights, const double* gradient, int64_t begin, int64_t end,
                      const Rows& rows, double scale) {
  multiversion<SoftmaxBackward<double>>(out, weights, gradient, begin, end, &rows, scale);
}

}  // namespace attnlab::modules::cpu
