#include "experiments/training/benchmark.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <sys/resource.h>

#include "experiments/training/device.h"
#include "experiments/training/matrix_products.h"
#include "experiments/training/step.h"
#include "support/error.h"
#include "support/json.h"
#include "support/run_server.h"

namespace attnlab::training {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kRate = 1e-4;
constexpr int64_t kBudget = 4096;
constexpr int32_t kFirstWord = 4;  // after unk, pad, bos, eos

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
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

/// A model that takes one step after the other.
class Worker {
 public:
  explicit Worker(const BenchmarkOptions& options)
      : options_(options),
        config_(config_of(options)),
        model_(ready_model(options, config_)),
        parameters_(*model_),
        adam_(parameters_, config_.training.optimizer),
        stepper_(config_, model_, parameters_, adam_, options.pad) {
    const size_t count = options_.batches.size();
    for (int64_t i = 0; i < options_.warm_up; ++i) step(options_.batches[count - 1 - static_cast<size_t>(i) % count]);
  }

  /// Seconds of steps on the first `count` batches.
  double time_steps(int64_t count) {
    const auto start = Clock::now();
    for (int64_t i = 0; i < count; ++i) step(batch(i));
    return seconds_since(start);
  }

  const data::Batch& batch(int64_t i) const {
    return options_.batches[static_cast<size_t>(i) % options_.batches.size()];
  }

  int64_t tokens(int64_t count) const {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; ++i) sum += batch(i).target_tokens;
    return sum;
  }

  int64_t parameters() const {
    int64_t sum = 0;
    for (const auto& part : parameters_.parts(parameters_.values())) sum += part.second.numel();
    return sum;
  }

  double loss() const { return loss_; }
  const modules::TransformerOptions& model_options() const { return config_.model; }
  torch::Device device() const { return parameters_.values().device(); }

 private:
  void step(const data::Batch& batch) {
    const StepResult result = stepper_.take(++steps_, kRate, {batch});
    if (!result.failure.empty()) throw Error(result.failure);
    loss_ = result.loss;
  }

  const BenchmarkOptions& options_;
  spec::RunConfig config_;
  modules::Transformer model_;
  FlatParameters parameters_;
  Adam adam_;
  Stepper stepper_;
  int64_t steps_ = 0;
  double loss_ = 0;
};

/// The matrix products of the same steps.
class Products {
 public:
  Products(const Worker& worker, const BenchmarkOptions& options)
      : runner_(options.precision == Precision::bf16 ? at::kBFloat16 : at::kFloat, worker.device()) {
    for (int64_t i = 0; i < options.steps_per_round; ++i) {
      products_.push_back(products_of(worker.model_options(), worker.batch(i)));
      runner_.reserve(products_.back());
    }
    runner_.run(products_.back());
  }

  double time() {
    const auto start = Clock::now();
    for (const auto& products : products_) runner_.run(products);
    return seconds_since(start);
  }

 private:
  ProductRunner runner_;
  std::vector<std::vector<Product>> products_;
};

double rounded(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  return std::round(value * scale) / scale;
}

Json measurement(Worker& worker, int64_t count) {
  const double seconds = worker.time_steps(count);
  return {{"tok_s", rounded(static_cast<double>(worker.tokens(count)) / seconds, 1)},
          {"s", rounded(seconds, 3)},
          {"loss", rounded(worker.loss(), 3)},
          {"peak_mib", std::round(peak_mib())}};
}

}  // namespace

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
  } else {
    throw Error(fmt::format("--size: '{}' is unknown; expected tiny, small or base", size));
  }
  o.dropout = {0.1, 0.1, 0.1, 0.1};
  o.source_vocab = o.target_vocab = vocab;
  return o;
}

std::vector<data::Batch> synthetic_batches(int64_t count, int64_t vocab, uint64_t seed) {
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
    const int64_t length = 8 + (i * 5) % 20, rows = kBudget / (length + 1);
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

BenchmarkResult benchmark(const BenchmarkOptions& options) {
  Worker worker(options);
  const double memory = peak_mib();  // before the products take theirs
  Products products(worker, options);
  const auto tokens = static_cast<double>(worker.tokens(options.steps_per_round));
  std::vector<double> steps, bounds;
  for (int64_t round = 0; round < options.rounds; ++round) {
    steps.push_back(tokens / worker.time_steps(options.steps_per_round));
    bounds.push_back(tokens / products.time());
  }
  BenchmarkResult result;
  result.tokens_per_second = median(steps);
  result.slowest = *std::min_element(steps.begin(), steps.end());
  result.fastest = *std::max_element(steps.begin(), steps.end());
  result.products_per_second = median(bounds);
  result.ratio = result.tokens_per_second / result.products_per_second;
  result.loss = worker.loss();
  result.parameters = worker.parameters();
  result.peak_mib = memory;
  return result;
}

int serve(std::istream& in, std::ostream& out, const BenchmarkOptions& options) {
  const auto start = Clock::now();
  Worker worker(options);
  const Json ready = {{"ready", true},
                      {"params", worker.parameters()},
                      {"loss", rounded(worker.loss(), 3)},
                      {"setup_s", rounded(seconds_since(start), 1)}};
  serve_runs(in, out, ready, [&](int64_t count) { return measurement(worker, count); });
  return 0;
}

}  // namespace attnlab::training
