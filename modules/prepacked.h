#pragma once
/// One matrix that many small products share, arranged once instead of in every product: the output matrix in decoding.

#include <cstdint>

#include "modules/torch.h"

namespace attnlab::modules {

/// x W^T for one W and many x.
class Prepacked {
 public:
  Prepacked() = default;

  /// `weight` [columns, inner], which must not change afterwards; `rows`: about how many rows x will have. Arranged for
  /// oneDNN where that is faster than MKL: float32 on a CPU that is not Intel's, outside autograd. Elsewhere `times` is
  /// an ordinary product.
  Prepacked(const torch::Tensor& weight, int64_t rows);

  bool defined() const { return weight_.defined(); }

  /// `x` [rows, inner] -> [rows, columns].
  torch::Tensor times(const torch::Tensor& x) const;

 private:
  torch::Tensor weight_;
  torch::Tensor packed_;  // undefined: an ordinary product
};

}  // namespace attnlab::modules
