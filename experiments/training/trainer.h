#pragma once
/// The training loop: batches in, weights out. It reports to an observer and knows neither terminals nor result files,
/// only the folder of its checkpoints.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "experiments/data/dataset.h"
#include "experiments/spec/run_config.h"
#include "modules/transformer.h"

namespace attnlab::training {

/// One optimizer step, as it is logged.
struct StepReport {
  int64_t step = 0, epoch = 0;
  double loss = 0;  ///< smoothed loss per target token over all accumulated batches, in nats
  double learning_rate = 0;
  double gradient_norm = 0;   ///< before clipping; 0 where it was not asked for
  int64_t target_tokens = 0;  ///< of this step, without padding
  double seconds = 0;         ///< of this step
};

/// One validation.
struct ValidationReport {
  int64_t step = 0;
  double loss = 0;        ///< unsmoothed negative log-likelihood per target token, in nats
  double perplexity = 0;  ///< exp(loss)
  double bleu = std::numeric_limits<double>::quiet_NaN();  ///< greedy BLEU of the first sentences, NaN if not asked for
  bool best = false;                                       ///< the lowest loss so far
};

/// Receives what happens. Every member has an empty default.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void started(int64_t /*first_step*/, int64_t /*last_step*/) {}
  virtual void stepped(const StepReport&) {}
  virtual void validated(const ValidationReport&) {}
  virtual void warned(const std::string& /*message*/) {}
  /// Asked after each step: true makes the trainer write a checkpoint and return with `interrupted`.
  virtual bool stop_requested() { return false; }
};

enum class Outcome { completed, early_stopped, diverged, interrupted };

/// How a training ended.
struct TrainingResult {
  Outcome outcome = Outcome::completed;
  int64_t steps = 0;  ///< last step done
  double best_valid_loss = std::numeric_limits<double>::infinity();
  int64_t best_step = 0;
  double train_seconds = 0;   ///< in steps, over all starts
  int64_t target_tokens = 0;  ///< seen in training, over all starts
  std::string reason;         ///< why it diverged or stopped
};

/// Trains `model` from the configuration, continuing from the last whole checkpoint in `checkpoints` if there is one.
/// When it returns, `model` holds the weights that `config.training.evaluate` names. A run that is killed and started
/// again ends bit-identical to one that never was (CPU, same number of threads). `checkpoints` then holds
/// last.safetensors (weights), best.safetensors, average.safetensors (if asked) and the state files.
TrainingResult train(const spec::RunConfig& config, const data::Dataset& dataset, modules::Transformer& model,
                     const std::filesystem::path& checkpoints, Observer& observer);

}  // namespace attnlab::training
