#pragma once
/// A linear map that many small products share, arranged once instead of in every product: what cached decoding does
/// with the decoder's matrices. A BLAS spends as long on arranging the matrix as on a few dozen rows.

#include <cstdint>

#include "modules/torch.h"

namespace attnlab::modules {

/// x W^T + b for one W and b and many x.
class ArrangedLinear {
 public:
  enum class Then { nothing, relu };

  ArrangedLinear() = default;

  /// `weight` [columns, inner] and `bias` [columns] or undefined, which must not change afterwards; with `Then::relu`
  /// negative numbers become 0. Arranged in panels for float32 on a CPU with AVX2 or more, outside autograd and
  /// autocast; elsewhere `times` is LibTorch's.
  explicit ArrangedLinear(const torch::Tensor& weight, const torch::Tensor& bias = {}, Then then = Then::nothing);

  /// `x` [..., inner] -> [..., columns].
  torch::Tensor times(const torch::Tensor& x) const;

 private:
  torch::Tensor weight_, bias_;
  Then then_ = Then::nothing;
  torch::Tensor panels_;  // [panels, inner, panel]; undefined: LibTorch's product
};

}  // namespace attnlab::modules
