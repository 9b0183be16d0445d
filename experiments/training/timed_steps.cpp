#include "experiments/training/timed_steps.h"

#include <chrono>

#include <fmt/format.h>
#include <sys/resource.h>

#include "experiments/training/device.h"
#include "support/error.h"

namespace attnlab::training {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kRate = 1e-4;
constexpr int32_t kFirstWord = 4;  // after unk, pad, bos, eos

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

spec::RunConfig config_of(const BenchmarkOptions& options) {
  spec::RunConfig config;
  config.model = options_of_size(options.size, options.vocab);
  config.training.optimizer.type = "adamw";
  config.training.precision = options.precision == Precision::bf16 ? "bf16" : "fp32";
  return config;
}

void require_possible(const BenchmarkOptions& options) {
  if (options.batches.empty()) throw Error("there are no batches to measure with");
  for (const data::Batch& batch : options.batches) {
    for (const auto* ids : {&batch.source, &batch.target_input, &batch.target_output}) {
      for (const int64_t id : *ids) {
        if (id < 0 || id >= options.vocab)
          throw Error(fmt::format("a batch holds the id {}, the vocabulary has {}", id, options.vocab));
      }
    }
  }
}

modules::Transformer ready_model(const BenchmarkOptions& options, const spec::RunConfig& config) {
  require_possible(options);
  modules::Transformer model(config.model);
  model->reset_parameters(static_cast<uint64_t>(config.seed));
  model->to(choose_device(options.device));
  return model;
}

}  // namespace

TimedSteps::TimedSteps(const BenchmarkOptions& options)
    : options_(options),
      config_(config_of(options)),
      model_(ready_model(options, config_)),
      parameters_(*model_),
      adam_(parameters_, config_.training.optimizer),
      stepper_(config_, model_, parameters_, adam_, options.pad) {
  const size_t count = options_.batches.size();
  for (int64_t i = 0; i < options_.warm_up; ++i) step(options_.batches[count - 1 - static_cast<size_t>(i) % count]);
}

double TimedSteps::time(int64_t count) {
  wait_for(device());
  const auto start = Clock::now();
  for (int64_t i = 0; i < count; ++i) step(batch(i));
  wait_for(device());
  return seconds_since(start);
}

const data::Batch& TimedSteps::batch(int64_t i) const {
  return options_.batches[static_cast<size_t>(i) % options_.batches.size()];
}

int64_t TimedSteps::tokens(int64_t count) const {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += batch(i).target_tokens;
  return sum;
}

int64_t TimedSteps::parameters() const {
  int64_t sum = 0;
  for (const auto& part : parameters_.parts(parameters_.values())) sum += part.second.numel();
  return sum;
}

void TimedSteps::step(const data::Batch& batch) {
  const StepResult result = stepper_.take(++steps_, kRate, {batch});
  if (!result.failure.empty()) throw Error(result.failure);
  loss_ = result.loss;
}

void wait_for(torch::Device device) {
  if (device.is_cuda()) torch::cuda::synchronize(device.index());
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

modules::TransformerOptions options_of_size(const std::string& size, int64_t vocab) {
  modules::TransformerOptions o;
  const auto set = [&](int64_t layers, int64_t d_model, int64_t d_ff, int64_t heads) {
    o.encoder_layers = o.decoder_layers = layers;
    o.d_model = d_model;
    o.d_ff = d_ff;
    o.heads = heads;
  };
  if (size == "tiny") {
    set(4, 128, 256, 4);
  } else if (size == "small") {
    set(3, 256, 1024, 4);
  } else if (size == "base") {
    set(6, 512, 2048, 8);
  } else if (size == "big") {
    set(6, 1024, 4096, 16);
  } else {
    throw Error(fmt::format("--size: '{}' is unknown; expected tiny, small, base or big", size));
  }
  o.dropout = {0.1, 0.1, 0.1, 0.1};
  o.source_vocab = o.target_vocab = vocab;
  return o;
}

std::vector<data::Batch> synthetic_batches(int64_t count, int64_t vocab, uint64_t seed, int64_t tokens) {
  auto generator = at::detail::createCPUGenerator(seed);
  const auto words = [&](int64_t length) {
    const torch::Tensor drawn = torch::randint(kFirstWord, vocab, {length}, generator, at::kInt);
    data::Ids ids(drawn.const_data_ptr<int32_t>(), drawn.const_data_ptr<int32_t>() + length);
    ids.push_back(/*eos=*/3);
    return ids;
  };
  std::vector<data::Batch> batches;
  for (int64_t i = 0; i < count; ++i) {
    // Batches hold targets of one length, as bucketing makes them; sources vary around it.
    const int64_t length = 8 + (i * 5) % 20, rows = tokens / (length + 1);
    if (rows < 1) throw Error(fmt::format("a batch of {} tokens has no room for a sentence of {}", tokens, length + 1));
    const torch::Tensor spread = torch::randint(-3, 4, {rows}, generator, at::kLong);
    std::vector<data::EncodedPair> pairs;
    std::vector<int64_t> order;
    for (int64_t row = 0; row < rows; ++row) {
      pairs.push_back({words(length + spread[row].item<int64_t>()), words(length)});
      order.push_back(row);
    }
    batches.push_back(data::make_batch(pairs, order, /*pad=*/1, /*bos=*/2));
  }
  return batches;
}

}  // namespace attnlab::training
