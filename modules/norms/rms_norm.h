#pragma once
/// RMSNorm (Zhang and Sennrich 2019): x / sqrt(mean of squares + epsilon) * gain over the D elements of a row. No mean
/// is taken away and nothing is added.

#include <memory>

#include "modules/norms/norm.h"
#include "modules/options.h"

namespace attnlab::modules {

class RmsNorm : public Norm {
 public:
  RmsNorm(int64_t d_model, double epsilon);
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& valid) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  double epsilon_;
  torch::Tensor gain;  // [D]
};

std::shared_ptr<Norm> make_rms_norm(const NormOptions& options, int64_t d_model);

}  // namespace attnlab::modules
