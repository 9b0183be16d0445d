#pragma once
/// The interface of norms. A new norm is one file here and one line in `norms/registry.cpp`.

#include "modules/initializer.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// Normalises the rows of the residual stream.
class Norm : public torch::nn::Module {
 public:
  /// `x` [B, T, D] -> [B, T, D], or rows without padding [N, D] -> [N, D]; `valid` [B, T] is true where a row is no
  /// padding, undefined when all are (norms over the batch need it).
  virtual torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& valid) = 0;

  /// Sets the norm's parameters, and statistics if it keeps some, to their start: gains 1 (ScaleNorm's sqrt(D)), biases
  /// 0.
  virtual void reset_parameters(const Initializer& initializer) = 0;
};

}  // namespace attnlab::modules
