#pragma once
/// Training steps of a model of a standard size, timed: what every benchmark of training measures.

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/data/batches.h"
#include "experiments/spec/run_config.h"
#include "experiments/training/autocast.h"
#include "experiments/training/optimizer.h"
#include "experiments/training/parameters.h"
#include "experiments/training/step.h"
#include "modules/options.h"
#include "modules/transformer.h"

namespace attnlab::training {

/// What is measured. Post-norm models with sinusoids, biases as in the paper, one shared matrix for embeddings and
/// output, dropout 0.1 at all four places, label smoothing 0.1, AdamW at the constant rate 1e-4:
///
/// | size | layers | D | d_ff | H |
/// |---|---|---|---|---|
/// | `tiny` | 4 + 4 | 128 | 256 | 4 |
/// | `small` | 3 + 3 | 256 | 1024 | 4 |
/// | `base` | 6 + 6 | 512 | 2048 | 8 |
/// | `big` | 6 + 6 | 1024 | 4096 | 16 |
struct BenchmarkOptions {
  std::string size = "tiny";
  Precision precision = Precision::fp32;
  std::string device = "cpu";
  std::vector<data::Batch> batches;  ///< at least one: `synthetic_batches`, or prepared ones
  int64_t vocab = 10000;             ///< V; larger than every id
  int32_t pad = 1;
  int64_t warm_up = 1;          ///< steps before the first measurement, with the last batches
  int64_t rounds = 3;           ///< measurements; steps and products take turns
  int64_t steps_per_round = 4;  ///< batches of one measurement, each round the next ones

  /// Batches that no step sees twice, as training hardly does.
  int64_t batches_needed() const { return warm_up + rounds * steps_per_round; }
};

/// The model of a size, with both vocabularies set. Throws attnlab::Error for an unknown size.
modules::TransformerOptions options_of_size(const std::string& size, int64_t vocab);

/// `count` batches of at most `tokens` padded target tokens, from `seed`: random words with the spread of lengths of
/// short captions (8 to 27 pieces and an end mark), bucketed and shuffled as an epoch of training is, so that hardly
/// two of them have the same number of tokens. Throws attnlab::Error if `tokens` has no room for the longest sentence.
std::vector<data::Batch> synthetic_batches(int64_t count, int64_t vocab, uint64_t seed, int64_t tokens = 4096);

/// A model that takes one step after the other.
class TimedSteps {
 public:
  /// Takes the warm-up's steps. `options` must outlive this. Throws attnlab::Error for an unknown size, no batches or
  /// an id outside the vocabulary.
  explicit TimedSteps(const BenchmarkOptions& options);

  /// Seconds of steps on `count` batches from number `first` on.
  double time(int64_t first, int64_t count);

  /// Batch number `i`, from the start again after the last.
  const data::Batch& batch(int64_t i) const;
  int64_t tokens(int64_t first, int64_t count) const;  ///< target tokens of those batches, without padding
  int64_t parameters() const;                          ///< how many numbers are trained
  double loss() const { return loss_; }                ///< of the last step, nats per token
  const modules::TransformerOptions& model_options() const { return config_.model; }
  torch::Device device() const { return parameters_.values().device(); }

 private:
  void step(const data::Batch& batch);

  const BenchmarkOptions& options_;
  spec::RunConfig config_;
  modules::Transformer model_;
  FlatParameters parameters_;
  Adam adam_;
  Stepper stepper_;
  int64_t steps_ = 0;
  double loss_ = 0;
};

/// Returns when the device has done all that it was told: a GPU works behind the program's back.
void wait_for(torch::Device device);

/// Resident memory of this process at its largest, MiB.
double peak_mib();

}  // namespace attnlab::training
