#pragma once
/// A training small enough for a test: a copy task, a model of 16 or 32 dimensions, and an observer that remembers.

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/checkpoint/model_state.h"
#include "experiments/data/dataset.h"
#include "experiments/training/trainer.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::tests {

/// Remembers all reports; asks for a stop after `stop_after` steps.
struct Recorder : training::Observer {
  int64_t first_step = 0, stop_after = -1;
  std::vector<training::StepReport> steps;
  std::vector<training::ValidationReport> validations;
  std::vector<std::string> warnings;
  std::function<void()> after_step;

  void started(int64_t first, int64_t) override { first_step = first; }
  void stepped(const training::StepReport& report) override {
    steps.push_back(report);
    if (after_step) after_step();
  }
  void validated(const training::ValidationReport& report) override { validations.push_back(report); }
  void warned(const std::string& message) override { warnings.push_back(message); }
  bool stop_requested() override { return !steps.empty() && steps.back().step == stop_after; }
};

/// Copy sequences of 2 to 6 symbols: 150 training pairs, about 8 batches an epoch.
inline spec::RunConfig tiny_config() {
  spec::RunConfig config;
  config.seed = 7;
  config.data.generator = "copy";
  config.data.train_pairs = 150;
  config.data.valid_pairs = 20;
  config.data.test_pairs = 20;
  config.data.symbols = 8;
  config.data.min_length = 2;
  config.data.max_length = 6;
  config.tokenizer.type = "word";
  config.tokenizer.vocab_size = 12;
  config.model.d_model = 16;
  config.model.heads = 2;
  config.model.d_ff = 32;
  config.model.encoder_layers = 1;
  config.model.decoder_layers = 1;
  config.model.dropout = {0.1, 0.1, 0.1, 0.1};
  config.training.device = "cpu";
  config.training.batch_tokens = 128;
  config.training.steps = 20;
  config.training.accumulate = 2;
  config.training.schedule.warmup = 15;
  config.decoding.beam = 1;
  return config;
}

/// The data of a configuration; tokenizers are cached in a folder that lives as long as the test program.
inline data::Dataset dataset_of(const spec::RunConfig& config) {
  static const TemporaryFolder cache;
  return data::load_dataset(config.data, config.tokenizer, cache.path());
}

inline modules::Transformer model_of(const spec::RunConfig& config, const data::Dataset& dataset) {
  modules::TransformerOptions options = config.model;
  options.source_vocab = dataset.source_tokenizer.vocab_size();
  options.target_vocab = dataset.target_tokenizer.vocab_size();
  modules::Transformer model(options);
  model->reset_parameters(static_cast<uint64_t>(config.seed));
  return model;
}

/// A training and what it left.
struct TinyRun {
  training::TrainingResult result;
  modules::Transformer model{nullptr};
};

inline TinyRun run(const spec::RunConfig& config, const std::filesystem::path& checkpoints,
                   training::Observer& observer) {
  const data::Dataset dataset = dataset_of(config);
  TinyRun done;
  done.model = model_of(config, dataset);
  done.result = training::train(config, dataset, done.model, checkpoints, observer);
  return done;
}

/// The largest difference between the weights of two models, BatchNorm's statistics among them; 0 only if all are
/// bit-identical (NaN counts as infinite).
inline double largest_difference(const torch::nn::Module& a, const torch::nn::Module& b) {
  const auto left = checkpoint::named_weights(a), right = checkpoint::named_weights(b);
  double largest = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    if (torch::equal(left[i].second, right.at(i).second)) continue;
    const double difference = (left[i].second - right[i].second).abs().max().item<double>();
    largest = difference > largest || std::isnan(difference) ? difference : largest;
  }
  return std::isnan(largest) ? INFINITY : largest;
}

}  // namespace attnlab::tests
