#include "modules/norms/batch_norm.h"

namespace attnlab::modules {

using torch::Tensor;

BatchNorm::BatchNorm(int64_t d_model, double epsilon) : epsilon_(epsilon) {
  gain = register_parameter("gain", torch::ones(d_model));
  bias = register_parameter("bias", torch::zeros(d_model));
  running_mean = register_buffer("running_mean", torch::zeros(d_model));
  running_var = register_buffer("running_var", torch::ones(d_model));
}

void BatchNorm::reset_parameters(const Initializer&) {
  const torch::NoGradGuard no_grad;
  gain.fill_(1);
  bias.zero_();
  running_mean.zero_();
  running_var.fill_(1);
}

Tensor BatchNorm::forward(const Tensor& x, const Tensor& valid) {
  const auto rows = x.to(torch::promote_types(x.scalar_type(), gain.scalar_type())).reshape({-1, x.size(-1)});
  if (!is_training() || !valid.defined()) {
    return normalise(rows).view(x.sizes());
  }
  const auto tokens = valid.reshape(-1).nonzero().squeeze(1);
  return torch::zeros_like(rows).index_copy(0, tokens, normalise(rows.index_select(0, tokens))).view(x.sizes());
}

Tensor BatchNorm::normalise(const Tensor& rows) {
  const bool batch_statistics = is_training() && rows.size(0) > 1;
  return torch::batch_norm(rows, gain, bias, running_mean, running_var, batch_statistics, momentum, epsilon_,
                           /*cudnn_enabled=*/true);
}

std::shared_ptr<Norm> make_batch_norm(const NormOptions& options, int64_t d_model) {
  return std::make_shared<BatchNorm>(d_model, options.epsilon);
}

}  // namespace attnlab::modules
