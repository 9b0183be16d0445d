#include "modules/norms/rms_norm.h"

#include "modules/norms/row_length.h"

namespace attnlab::modules {

RmsNorm::RmsNorm(int64_t d_model, double epsilon) : epsilon_(epsilon) {
  gain = register_parameter("gain", torch::ones(d_model));
}

void RmsNorm::reset_parameters(const Initializer&) {
  const torch::NoGradGuard no_grad;
  gain.fill_(1);
}

torch::Tensor RmsNorm::forward(const torch::Tensor& x, const torch::Tensor&) {
  return divide_by_length(x, gain, cpu::LengthRule::root_mean_square, epsilon_);
}

std::shared_ptr<Norm> make_rms_norm(const NormOptions& options, int64_t d_model) {
  return std::make_shared<RmsNorm>(d_model, options.epsilon);
}

}  // namespace attnlab::modules
