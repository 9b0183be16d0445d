#pragma once
/// Matrix products in bfloat16 for training on a CPU: float32 in, float32 out, sums in float32; numbers are rounded to
/// bfloat16 on the way, a block at a time. The blocks have few sizes, so oneDNN compiles few kernels: a product of its
/// own would be compiled, and kept, for every new number of rows.

#include <cstdint>

#include "modules/torch.h"

namespace attnlab::modules {

/// True if this processor multiplies bfloat16 faster than float32 (AVX512_BF16, and AMX with it) and LibTorch has
/// oneDNN. The rest of this header needs it.
bool has_bf16_products();

/// A float32 matrix [K, N] rounded and arranged for being multiplied from the left by many rows.
class Bf16Factor {
 public:
  /// `matrix` [K, N].
  static Bf16Factor of(const torch::Tensor& matrix);
  /// The transposed of `matrix` [N, K].
  static Bf16Factor transposed(const torch::Tensor& matrix);

  int64_t inner() const { return inner_; }      ///< K
  int64_t columns() const { return columns_; }  ///< N

  /// Columns first ... of the matrix, `panel_width(first)` of them, from row `row` on, which is even: [K - row / 2,
  /// panel, 2].
  const c10::BFloat16* panel(int64_t first, int64_t row) const;
  int64_t panel_width(int64_t first) const;

 private:
  Bf16Factor(int64_t inner, int64_t columns);

  int64_t inner_, columns_;
  torch::Tensor panels_;
};

/// out [R, N] = x [R, K] * factor [K, N] + bias [N] (undefined: none). The last dimensions are dense. A row's numbers
/// do not depend on how many rows there are, nor on the number of threads.
void multiply(const torch::Tensor& out, const torch::Tensor& x, const Bf16Factor& factor,
              const torch::Tensor& bias = {});

/// out [M, N], dense, = a^T b for a [R, M], b [R, N], whose last dimensions are dense; added to what is there with
/// `add`. The gradient of a weight. The same for every number of threads.
void multiply_transposed(const torch::Tensor& out, const torch::Tensor& a, const torch::Tensor& b, bool add);

}  // namespace attnlab::modules
