#pragma once
/// Everything that a training needs in order to go on as if it had never stopped, in one file a checkpoint, so that
/// weights and state cannot come from different steps. Files are called `state-<step>.safetensors`; the two newest are
/// kept.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "experiments/checkpoint/identity.h"
#include "experiments/checkpoint/safetensors.h"

namespace attnlab::checkpoint {

/// How far a training has come. Dropout and the order of data need no generator states: they are functions of (seed,
/// step, micro-batch) and (seed, epoch).
struct Progress {
  uint64_t seed = 0;                                           ///< of the run; a state of another seed is refused
  int64_t step = 0;                                            ///< optimizer steps done
  int64_t epoch = 1;                                           ///< the epoch that the next batch belongs to, from 1
  int64_t batch = 0;                                           ///< batches of that epoch already used
  double best_loss = std::numeric_limits<double>::infinity();  ///< lowest validation loss so far, nats per token
  int64_t best_step = 0;                                       ///< where it was; 0 = no finite validation yet
  int64_t without_gain = 0;                                    ///< validations since then
  std::vector<int64_t> recent;  ///< steps of the validations whose weights wait to be averaged, oldest first
  int64_t target_tokens = 0;    ///< trained on, without padding
  double train_seconds = 0;     ///< spent in steps
};

/// One whole state.
struct TrainingState {
  Progress progress;
  NamedTensors weights;              ///< as `named_weights` gives them
  NamedTensors first_moments;        ///< Adam's m, by parameter name
  NamedTensors second_moments;       ///< Adam's v, by parameter name
  std::optional<Identity> identity;  ///< of its run; nothing: written by an older version
};

/// The state files of one folder.
class StateFolder {
 public:
  /// Receives what a person should know, e.g. that a damaged file was passed over.
  using Warn = std::function<void(const std::string&)>;

  explicit StateFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The newest whole state; nothing if there are no state files. A damaged one is named to `warn` and the next older
  /// one is taken. Throws attnlab::Error if there are state files and all are damaged. What is not called as
  /// states are is never looked at.
  std::optional<TrainingState> load_newest(const Warn& warn);

  /// Writes a state; when it is whole, all others but the one before it (loaded or saved) are removed. What only looks
  /// like a state stays (step_file.h).
  void save(const TrainingState& state);

  /// The file of the state of a step.
  std::filesystem::path file_of(int64_t step) const;

  /// Steps of the two states that are kept: what else belongs to them must be kept, too.
  const std::vector<Progress>& kept() const { return kept_; }

 private:
  std::vector<int64_t> steps_present() const;

  std::filesystem::path folder_;
  std::vector<Progress> kept_;  // known to be whole, at most two, oldest first
};

}  // namespace attnlab::checkpoint
