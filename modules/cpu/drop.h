#pragma once
/// The loops of dropout on a CPU, in the widest vectors that the processor has (AVX-512, AVX2 or what the build's
/// target gives; chosen at run time, with equal results). No torch here.

#include <cstdint>

namespace attnlab::modules::cpu {

/// A bfloat16 number as stored.
struct Bfloat16 {
  uint16_t bits;
};

/// One mask: element i is kept if word `first` + i of the stream named by the other members is at least `threshold`.
struct Mask {
  uint64_t key;  ///< names the stream, with `place` and `micro_batch`
  uint32_t place;
  uint32_t micro_batch;
  uint32_t threshold;  ///< rate * 2^32
  double scale;        ///< of the elements that are kept: 1 / (1 - rate)
  uint64_t first = 0;  ///< not 0 where the tensor is a part of one that is dropped as a whole
};

/// Words are drawn in groups of so many; work is best divided between threads at multiples of it.
constexpr int64_t group_size = 64;

/// out[i] = residual[i] + kept(x[i]) for begin <= i < end; `residual` null stands for zeros. Compiled for (Out, In) =
/// (float, float), (double, double), (Bfloat16, Bfloat16), (float, Bfloat16), (Bfloat16, float).
template <class Out, class In>
void drop(Out* out, const Out* residual, const In* x, int64_t begin, int64_t end, const Mask& mask);

/// out[i] = kept(max(0, x[i])) for begin <= i < end. `out` may be `x`.
void relu_drop(float* out, const float* x, int64_t begin, int64_t end, const Mask& mask);

/// Its gradient from its output: gradient[i] * scale where `y` is above 0, and 0 elsewhere. No mask is drawn.
void relu_drop_backward(float* out, const float* gradient, const float* y, int64_t count, float scale);

}  // namespace attnlab::modules::cpu
