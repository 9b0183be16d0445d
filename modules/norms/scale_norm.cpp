#include "modules/norms/scale_norm.h"

#include <cmath>

#include "modules/norms/row_length.h"

namespace attnlab::modules {

ScaleNorm::ScaleNorm(int64_t d_model, double epsilon) : d_model_(d_model), epsilon_(epsilon) {
  gain = register_parameter("gain", torch::full({1}, std::sqrt(static_cast<double>(d_model))));
}

void ScaleNorm::reset_parameters(const Initializer&) {
  const torch::NoGradGuard no_grad;
  gain.fill_(std::sqrt(static_cast<double>(d_model_)));
}

torch::Tensor ScaleNorm::forward(const torch::Tensor& x, const torch::Tensor&) {
  return divide_by_length(x, gain.expand({d_model_}), cpu::LengthRule::euclidean, epsilon_);
}

std::shared_ptr<Norm> make_scale_norm(const NormOptions& options, int64_t d_model) {
  return std::make_shared<ScaleNorm>(d_model, options.epsilon);
}

}  // namespace attnlab::modules
