#pragma once
/// LayerNorm (Ba et al. 2016), the paper's: (x - mean) / sqrt(variance + epsilon) * gain + bias over the D elements of
/// a row.

#include <memory>

#include "modules/norms/norm.h"
#include "modules/options.h"

namespace attnlab::modules {

class LayerNorm : public Norm {
 public:
  LayerNorm(int64_t d_model, double epsilon);
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& valid) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  double epsilon_;
  torch::Tensor gain, bias;  // [D]
};

std::shared_ptr<Norm> make_layer_norm(const NormOptions& options, int64_t d_model);

}  // namespace attnlab::modules
