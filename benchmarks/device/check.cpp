#include "benchmarks/device/check.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "experiments/training/loss.h"
#include "experiments/training/parameters.h"
#include "experiments/training/timed_steps.h"
#include "modules/attention/registry.h"
#include "modules/dropout.h"
#include "modules/norms/registry.h"
#include "modules/positions/registry.h"
#include "modules/transformer.h"

namespace attnlab::device_check {
namespace {

using modules::TransformerOptions;
using torch::Tensor;

constexpr int64_t kVocab = 61;
constexpr double kRounding = 1e-4;  // float32 sums in another order, through four layers
constexpr double kAlike = 0.1;
constexpr int64_t kSteps = 12;

struct Case {
  std::string name;
  TransformerOptions options;
};

TransformerOptions small() {
  TransformerOptions options;
  options.d_model = 32;
  options.heads = 4;
  options.d_ff = 64;
  options.encoder_layers = options.decoder_layers = 2;
  options.attention_bias = true;
  options.source_vocab = options.target_vocab = kVocab;
  options.encoder_positions.max_length = options.decoder_positions.max_length = 32;
  return options;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, const auto& change) {
    Case one{name, small()};
    change(one.options);
    all.push_back(std::move(one));
  };
  for (const auto& placement : modules::placement_variants()) {
    add("placement " + placement.name, [&](auto& options) { options.norm.placement = placement.name; });
  }
  for (const auto& norm : modules::norm_variants()) {
    add("norm " + norm.name, [&](auto& options) { options.norm.type = norm.name; });
  }
  for (const auto& positions : modules::position_variants()) {
    add("positions " + positions.name,
        [&](auto& options) { options.encoder_positions.type = options.decoder_positions.type = positions.name; });
  }
  for (const auto& kernel : modules::attention_variants()) {
    add("attention " + kernel.name, [&](auto& options) { options.attention = kernel.name; });
  }
  add("activation gelu", [](auto& options) { options.activation = "gelu"; });
  return all;
}

/// Five sentences of different lengths; ids and lengths on the CPU.
struct Sentences {
  Tensor source, source_lengths, target, target_lengths, labels;
};

Sentences sentences() {
  auto generator = at::detail::createCPUGenerator(/*seed_val=*/7);
  const auto ids = [&](int64_t width) { return torch::randint(4, kVocab, {5, width}, generator, torch::kInt64); };
  const auto lengths = [](std::vector<int64_t> values) { return torch::tensor(values, torch::kInt64); };
  Sentences s{ids(9), lengths({9, 4, 1, 7, 6}), ids(8), lengths({8, 8, 2, 5, 3}), {}};
  const int64_t tokens = s.target_lengths.sum().item<int64_t>();
  s.labels = torch::randint(4, kVocab, {tokens}, generator, torch::kInt64);
  return s;
}

modules::Transformer model_of(const TransformerOptions& options, torch::Device device) {
  modules::Transformer model(options);
  model->reset_parameters(/*seed=*/3);
  model->to(device);
  return model;
}

/// The loss, followed by its gradient with respect to all parameters, on the CPU.
Tensor loss_and_gradient(const TransformerOptions& options, torch::Device device) {
  auto model = model_of(options, device);
  model->train();
  const training::FlatParameters parameters(*model);
  const Sentences s = sentences();
  modules::Context context;
  const Tensor states =
      model->target_states(s.source.to(device), s.source_lengths, s.target.to(device), s.target_lengths, context);
  const auto smoothed = training::smoothed_target(training::SmoothingRule::vocab, 0.1, kVocab, /*pad_id=*/1);
  const Tensor loss = training::projected_cross_entropy(states, model->output_matrix(), s.labels.to(device), smoothed);
  loss.backward();
  return torch::cat({loss.detach().reshape({1}).to(torch::kFloat64), parameters.gradients().to(torch::kFloat64)}).cpu();
}

/// The logits of all steps of cached decoding, [T, B, V] on the CPU.
Tensor decoded(const TransformerOptions& options, torch::Device device) {
  const torch::NoGradGuard no_grad;
  auto model = model_of(options, device);
  model->eval();
  const Sentences s = sentences();
  modules::Context context;
  const auto memory = model->encode(s.source.to(device), s.source_lengths, context);
  const auto weights = model->arranged_decoder();
  modules::DecoderCache cache(weights);
  std::vector<Tensor> steps;
  for (int64_t t = 0; t < s.target.size(1); ++t) {
    const Tensor states = model->decode_next(s.target.select(1, t).contiguous().to(device), memory, cache, context);
    steps.push_back(model->logits(states).to(torch::kFloat64).cpu());
  }
  return torch::stack(steps);
}

double difference(const Tensor& expected, const Tensor& actual) {
  return ((actual - expected).norm() / expected.norm()).item<double>();
}

/// Prints a line; 1 if `error` is above `limit` or no number.
int judge(const std::string& name, double error, double limit) {
  const bool fits = error <= limit;
  fmt::print("{:<6} {:<34} {:.1e}{}\n", fits ? "ok" : "FAILED", name, error,
             fits ? "" : fmt::format(" (at most {:.0e})", limit));
  return fits ? 0 : 1;
}

/// By how much the loss of the size `tiny` has fallen after `kSteps` steps on two batches, with dropout.
double fall_of_loss(torch::Device device, training::Precision precision) {
  training::BenchmarkOptions options;
  options.device = device.str();
  options.precision = precision;
  options.batches = training::synthetic_batches(/*count=*/2, options.vocab, /*seed=*/5, /*tokens=*/256);
  options.warm_up = 2;
  training::TimedSteps steps(options);
  const double start = steps.loss();
  steps.time(0, kSteps);
  return start - steps.loss();
}

int check_training(torch::Device device) {
  const double expected = fall_of_loss(torch::kCPU, training::Precision::fp32);
  fmt::print("       the loss falls by {:.3f} nats in {} steps on the CPU\n", expected, kSteps);
  // Other masks of dropout than the CPU's, and shorter numbers, so the falls are alike only.
  const auto error = [&](training::Precision precision) {
    return std::abs(fall_of_loss(device, precision) / expected - 1);
  };
  return judge("fall of the loss in training, fp32", error(training::Precision::fp32), kAlike) +
         judge("fall of the loss in training, bf16", error(training::Precision::bf16), kAlike);
}

int check_dropout(torch::Device device) {
  constexpr double rate = 0.1;
  const Tensor ones = torch::ones({1000, 1000}, device);
  const auto dropped = [&](uint64_t step) {
    modules::DropoutStream stream(/*seed=*/1, step, /*micro_batch=*/0);
    return modules::dropout(ones, rate, &stream);
  };
  const Tensor once = dropped(1), again = dropped(1), later = dropped(2);
  const double kept = once.ne(0).to(torch::kFloat64).mean().item<double>();
  const double both = once.ne(0).logical_and(later.ne(0)).to(torch::kFloat64).mean().item<double>();
  return judge("dropout keeps 1 - rate", std::abs(kept - (1 - rate)), 2e-3) +
         judge("dropout scales what it keeps", std::abs(once.max().item<double>() * (1 - rate) - 1), 1e-6) +
         judge("dropout repeats its masks", torch::equal(once, again) ? 0 : 1, 0) +
         judge("dropout's masks are independent", std::abs(both - (1 - rate) * (1 - rate)), 2e-3);
}

}  // namespace

int check(torch::Device device) {
  int failed = 0;
  for (const Case& one : cases()) {
    failed += judge(one.name + ": gradient",
                    difference(loss_and_gradient(one.options, torch::kCPU), loss_and_gradient(one.options, device)),
                    kRounding);
    failed += judge(one.name + ": decoding",
                    difference(decoded(one.options, torch::kCPU), decoded(one.options, device)), kRounding);
  }
  return failed + check_training(device) + check_dropout(device);
}

}  // namespace attnlab::device_check
