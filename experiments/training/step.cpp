#include "experiments/training/step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/data/tensors.h"
#include "modules/parallel.h"

namespace attnlab::training {
namespace {

/// A part of a batch with fewer target tokens is not worth a thread.
constexpr int64_t kFewestTokens = 256;

}  // namespace

Stepper::Stepper(const spec::RunConfig& config, modules::Transformer& model, FlatParameters& parameters, Adam& adam,
                 int32_t pad)
    : config_(config),
      model_(model),
      parameters_(parameters),
      adam_(adam),
      device_(parameters.values().device()),
      precision_(precision(config.training.precision)),
      smoothed_(smoothed_target(smoothing_rule(config.training.label_smoothing_rule), config.training.label_smoothing,
                                model->options().target_vocab, pad)),
      replicas_(model, parameters) {}

double Stepper::loss_limit() const {
  return 100.0 * std::log(static_cast<double>(std::max<int64_t>(model_->options().target_vocab, 2)));
}

torch::Tensor Stepper::loss_sum(modules::Transformer& model, int64_t step, uint32_t micro_batch,
                                const data::Batch& batch, const BatchPart& part) {
  const data::BatchTensors tensors = data::to_tensors(batch, part.first, part.count, device_);
  modules::DropoutStream dropout(static_cast<uint64_t>(config_.seed), static_cast<uint64_t>(step), micro_batch,
                                 part.first);
  modules::Context context{&dropout};
  const Autocast autocast(device_.type(), precision_);
  const torch::Tensor states = model->target_states(tensors.source, tensors.source_lengths, tensors.target_input,
                                                    tensors.target_lengths, context, part.tokens);
  return projected_cross_entropy(states, model->output_matrix(), tensors.labels, smoothed_);
}

void Stepper::run_parts(int64_t replica, int64_t step, const std::vector<data::Batch>& window,
                        const std::vector<std::vector<BatchPart>>& parts, std::vector<torch::Tensor>& losses) {
  replicas_.zero_gradients(replica);
  for (size_t i = 0; i < window.size(); ++i) {
    const auto& own = parts[i];
    if (replica >= static_cast<int64_t>(own.size())) continue;
    const torch::Tensor loss = loss_sum(replicas_.model(replica), step, static_cast<uint32_t>(i), window[i],
                                        own[static_cast<size_t>(replica)]);
    loss.backward();
    losses.push_back(loss.detach().to(at::kDouble));
  }
}

StepResult Stepper::take(int64_t step, double rate, const std::vector<data::Batch>& window) {
  StepResult result;
  std::vector<std::vector<BatchPart>> parts;
  size_t workers = 1;
  for (const data::Batch& batch : window) {
    parts.push_back(split(batch, replicas_.count(), kFewestTokens));
    workers = std::max(workers, parts.back().size());
    result.target_tokens += batch.target_tokens;
  }
  std::vector<std::vector<torch::Tensor>> losses(workers);
  modules::parallel_for(0, static_cast<int64_t>(workers), /*grain_size=*/1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) run_parts(i, step, window, parts, losses[static_cast<size_t>(i)]);
  });
  replicas_.add_gradients(static_cast<int64_t>(workers));
  torch::Tensor total = torch::zeros({}, torch::dtype(at::kDouble).device(device_));
  for (const auto& of_worker : losses)
    for (const torch::Tensor& loss : of_worker) total += loss;
  const auto tokens = static_cast<double>(result.target_tokens);
  const torch::Tensor norm = at::linalg_vector_norm(parameters_.gradients(), 2).to(at::kDouble);
  update(rate, tokens, total / tokens, norm / tokens);
  // The only wait for the device, when it has been given all of the step; one transfer for both numbers.
  const torch::Tensor measured = torch::stack({total, norm}).cpu();
  result.loss = measured[0].item<double>() / tokens;
  result.gradient_norm = measured[1].item<double>() / tokens;
  result.failure = failure(step, result);
  return result;
}

void Stepper::update(double rate, double tokens, const torch::Tensor& loss, const torch::Tensor& norm) {
  const torch::Tensor fails = (loss.isfinite() & norm.isfinite() & (loss <= loss_limit())).logical_not();
  const double clip = config_.training.clip_norm;
  const torch::Tensor excess = clip > 0 ? (norm / clip).clamp_min(1.0) : torch::ones_like(norm);
  adam_.step(rate, excess * tokens, fails);
}

std::string Stepper::failure(int64_t step, const StepResult& result) const {
  if (!std::isfinite(result.loss)) {
    return fmt::format("the loss of step {} is not finite", step);
  }
  if (!std::isfinite(result.gradient_norm)) {
    return fmt::format("the gradient of step {} is not finite", step);
  }
  if (result.loss > loss_limit()) {
    return fmt::format("the loss of step {} is {:.4g}, more than 100 times that of guessing", step, result.loss);
  }
  return {};
}

}  // namespace attnlab::training
