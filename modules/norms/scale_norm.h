#pragma once
/// ScaleNorm (Nguyen and Salazar 2019, section 2.2): gain * x / max(|x|, epsilon) with the Euclidean length |x| of a
/// row and one gain for all its elements, which starts at sqrt(D), the length that LayerNorm gives a row.

#include <memory>

#include "modules/norms/norm.h"
#include "modules/options.h"

namespace attnlab::modules {

class ScaleNorm : public Norm {
 public:
  ScaleNorm(int64_t d_model, double epsilon);
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& valid) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  int64_t d_model_;
  double epsilon_;
  torch::Tensor gain;  // [1]
};

std::shared_ptr<Norm> make_scale_norm(const NormOptions& options, int64_t d_model);

}  // namespace attnlab::modules
