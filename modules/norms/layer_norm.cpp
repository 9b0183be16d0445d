#include "modules/norms/layer_norm.h"

namespace attnlab::modules {

LayerNorm::LayerNorm(int64_t d_model, double epsilon) : epsilon_(epsilon) {
  gain = register_parameter("gain", torch::ones(d_model));
  bias = register_parameter("bias", torch::zeros(d_model));
}

void LayerNorm::reset_parameters(const Initializer&) {
  const torch::NoGradGuard no_grad;
  gain.fill_(1);
  bias.zero_();
}

torch::Tensor LayerNorm::forward(const torch::Tensor& x, const torch::Tensor&) {
  return torch::layer_norm(x, {x.size(-1)}, gain, bias, epsilon_);
}

std::shared_ptr<Norm> make_layer_norm(const NormOptions& options, int64_t d_model) {
  return std::make_shared<LayerNorm>(d_model, options.epsilon);
}

}  // namespace attnlab::modules
