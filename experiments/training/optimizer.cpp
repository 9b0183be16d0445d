#include "experiments/training/optimizer.h"

#include <fmt/format.h>

#include "support/error.h"

namespace attnlab::training {

Adam::Adam(FlatParameters& parameters, const spec::OptimizerConfig& config)
    : parameters_(parameters),
      config_(config),
      first_(torch::zeros_like(parameters.values())),
      second_(torch::zeros_like(parameters.values())),
      matrix_steps_(torch::zeros({}, parameters.values().options())),
      vector_steps_(torch::zeros({}, parameters.values().options())),
      divisor_(torch::ones({}, parameters.values().options())),
      fails_(torch::zeros({}, parameters.values().options())) {
  if (config.type != "adam" && config.type != "adamw") {
    throw Error(fmt::format("training.optimizer.type: '{}' is unknown; expected adam or adamw", config.type));
  }
}

void Adam::set_steps(int64_t steps) {
  matrix_steps_.fill_(steps);
  vector_steps_.fill_(steps);
}

void Adam::step(double rate, const torch::Tensor& divisor, const torch::Tensor& fails) {
  torch::NoGradGuard no_grad;
  divisor_.copy_(divisor);
  fails_.copy_(fails);
  const int64_t matrices = parameters_.matrix_elements(), all = parameters_.values().numel();
  step_range(0, matrices, rate, config_.weight_decay, matrix_steps_);
  step_range(matrices, all, rate, /*weight_decay=*/0.0, vector_steps_);
}

void Adam::step_range(int64_t begin, int64_t end, double rate, double weight_decay, torch::Tensor& steps) {
  if (begin == end) return;
  const auto part = [&](const torch::Tensor& flat) { return std::vector<torch::Tensor>{flat.slice(0, begin, end)}; };
  const auto values = part(parameters_.values()), gradients = part(parameters_.gradients());
  const auto first = part(first_), second = part(second_);
  steps.add_(1 - fails_);
  if (config_.type == "adamw") {
    at::_fused_adamw_(values, gradients, first, second, /*max_exp_avg_sqs=*/{}, {steps}, rate, config_.beta1,
                      config_.beta2, weight_decay, config_.epsilon, /*amsgrad=*/false, /*maximize=*/false,
                      /*grad_scale=*/divisor_, /*found_inf=*/fails_);
  } else {
    at::_fused_adam_(values, gradients, first, second, /*max_exp_avg_sqs=*/{}, {steps}, rate, config_.beta1,
                     config_.beta2, weight_decay, config_.epsilon, /*amsgrad=*/false, /*maximize=*/false,
                     /*grad_scale=*/divisor_, /*found_inf=*/fails_);
  }
}

}  // namespace attnlab::training
