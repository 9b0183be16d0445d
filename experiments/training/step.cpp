#include "experiments/training/step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/training/tensors.h"

namespace attnlab::training {

Stepper::Stepper(const spec::RunConfig& config, modules::Transformer& model, FlatParameters& parameters, Adam& adam,
                 int32_t pad)
    : config_(config),
      model_(model),
      parameters_(parameters),
      adam_(adam),
      device_(parameters.values().device()),
      precision_(precision(config.training.precision)),
      smoothed_(smoothed_target(smoothing_rule(config.training.label_smoothing_rule), config.training.label_smoothing,
                                model->options().target_vocab, pad)) {}

double Stepper::loss_limit() const {
  return 100.0 * std::log(static_cast<double>(std::max<int64_t>(model_->options().target_vocab, 2)));
}

torch::Tensor Stepper::loss_sum(int64_t step, uint32_t micro_batch, const data::Batch& batch) {
  const BatchTensors tensors = to_tensors(batch, device_);
  modules::DropoutStream dropout(static_cast<uint64_t>(config_.seed), static_cast<uint64_t>(step), micro_batch);
  modules::Context context{&dropout};
  const Autocast autocast(device_.type(), precision_);
  const torch::Tensor states = model_->target_states(tensors.source, tensors.source_lengths, tensors.target_input,
                                                     tensors.target_lengths, context);
  return projected_cross_entropy(states, model_->output_matrix(), tensors.labels, smoothed_);
}

StepResult Stepper::take(int64_t step, double rate, const std::vector<data::Batch>& window) {
  StepResult result;
  parameters_.zero_gradients();
  torch::Tensor total;
  uint32_t micro_batch = 0;
  for (const data::Batch& batch : window) {
    const torch::Tensor loss = loss_sum(step, micro_batch++, batch);
    loss.backward();
    const torch::Tensor detached = loss.detach().to(at::kDouble);
    total = total.defined() ? total + detached : detached;
    result.target_tokens += batch.target_tokens;
  }
  const auto tokens = static_cast<double>(result.target_tokens);
  // One transfer from the device for both numbers.
  const torch::Tensor norm = at::linalg_vector_norm(parameters_.gradients(), 2).to(at::kDouble);
  const torch::Tensor measured = torch::stack({total, norm}).cpu();
  result.loss = measured[0].item<double>() / tokens;
  result.gradient_norm = measured[1].item<double>() / tokens;

  if (!std::isfinite(result.loss)) {
    result.failure = fmt::format("the loss of step {} is not finite", step);
  } else if (!std::isfinite(result.gradient_norm)) {
    result.failure = fmt::format("the gradient of step {} is not finite", step);
  } else if (result.loss > loss_limit()) {
    result.failure =
        fmt::format("the loss of step {} is {:.4g}, more than 100 times that of guessing", step, result.loss);
  } else {
    const double clip = config_.training.clip_norm;
    const double excess = clip > 0 ? std::max(1.0, result.gradient_norm / clip) : 1.0;
    adam_.step(rate, tokens * excess);
  }
  return result;
}

}  // namespace attnlab::training
