#include "experiments/training/timed_steps.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include "experiments/data/random.h"
#include "experiments/training/device.h"
#include "support/clock.h"
#include "support/error.h"

namespace attnlab::training {
namespace {

constexpr double kRate = 1e-4;
constexpr int32_t kPad = 1, kBos = 2, kEos = 3, kFirstWord = 4;

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

constexpr int64_t kShortest = 9, kLongest = 28;  // target sentences, end mark included

/// Pairs of random words with so many target tokens or a few more. Sources have up to three tokens more or fewer.
std::vector<data::EncodedPair> synthetic_pairs(int64_t target_tokens, int64_t vocab, uint64_t seed) {
  data::Random random(seed);
  const auto below = [&](int64_t count) { return static_cast<int64_t>(random.below(static_cast<size_t>(count))); };
  const auto sentence = [&](int64_t length) {
    data::Ids ids;
    while (static_cast<int64_t>(ids.size()) + 1 < length) {
      ids.push_back(kFirstWord + static_cast<int32_t>(below(vocab - kFirstWord)));
    }
    ids.push_back(kEos);
    return ids;
  };
  constexpr int64_t half = (kLongest - kShortest) / 2;
  std::vector<data::EncodedPair> pairs;
  while (target_tokens > 0) {
    const int64_t length = kShortest + below(half + 1) + below(kLongest - kShortest - half + 1);
    pairs.push_back({sentence(length - 3 + below(7)), sentence(length)});
    target_tokens -= length;
  }
  return pairs;
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

double TimedSteps::time(int64_t first, int64_t count) {
  wait_for(device());
  const auto start = Clock::now();
  for (int64_t i = first; i < first + count; ++i) step(batch(i));
  wait_for(device());
  return seconds_since(start);
}

const data::Batch& TimedSteps::batch(int64_t i) const {
  return options_.batches[static_cast<size_t>(i) % options_.batches.size()];
}

int64_t TimedSteps::tokens(int64_t first, int64_t count) const {
  int64_t sum = 0;
  for (int64_t i = first; i < first + count; ++i) sum += batch(i).target_tokens;
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
  if (tokens < kLongest) {
    throw Error(fmt::format("a batch of {} tokens has no room for a sentence of {}", tokens, kLongest));
  }
  const auto pairs = synthetic_pairs(count * tokens, vocab, seed);
  const auto rows = data::epoch_batches(pairs, tokens, seed, /*epoch=*/1);
  std::vector<data::Batch> batches;
  for (int64_t i = 0; i < count; ++i) {
    batches.push_back(data::make_batch(pairs, rows[static_cast<size_t>(i)], kPad, kBos));
  }
  return batches;
}

}  // namespace attnlab::training
