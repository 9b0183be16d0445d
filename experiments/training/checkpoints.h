#pragma once
/// The checkpoints of one training: which files there are and what each holds.
///
/// - `state-<step>.safetensors`, at each checkpoint: everything needed to go on. The two newest stay.
/// - `last.safetensors`, after each state, and where a training diverges with finite weights: the weights.
/// - `best.safetensors`, at a new lowest validation loss and before the state that says so: its weights.
/// - `weights-<step>.safetensors`, at validations and before the state that lists it: weights that wait to be averaged.
/// - `average.safetensors`, at the end: the mean of those.
///
/// Nothing else in the folder is touched, whatever it is called.
///
/// Weights that a state speaks of are always written before it, so a training killed between two files repeats the last
/// steps and writes the same bytes again.

#include <filesystem>
#include <optional>

#include "experiments/checkpoint/training_state.h"
#include "experiments/training/optimizer.h"
#include "modules/transformer.h"

namespace attnlab::training {

class Checkpoints {
 public:
  /// Makes the folder and removes what a killed process left half-written in it. `model` and `adam` must outlive it;
  /// `adam` changes the parameters of `model`. Every file is marked with the identity of the run, and one that is
  /// marked otherwise is refused wherever it is read.
  Checkpoints(std::filesystem::path folder, modules::Transformer& model, Adam& adam, checkpoint::Identity identity);

  /// Loads the newest whole state into model and optimizer; nothing if there is none. Throws attnlab::Error if it
  /// belongs to another run or model, or all states are damaged.
  std::optional<checkpoint::Progress> resume(uint64_t seed, const checkpoint::StateFolder::Warn& warn);

  void save_state(const checkpoint::Progress& progress);
  void save_last(const checkpoint::Progress& progress) const;
  void save_best(const checkpoint::Progress& progress) const;

  /// Keeps the present weights for averaging and lists them in `progress`, whose list then has at most `count` steps.
  void save_for_average(checkpoint::Progress& progress, int64_t count) const;

  /// Puts the best weights into the model; nothing happens if no validation was finite.
  void restore_best(const checkpoint::Progress& progress) const;

  /// Averages the listed weights, saves the mean and puts it into the model.
  void restore_average(const checkpoint::Progress& progress) const;

 private:
  std::filesystem::path weights_of(int64_t step) const;
  void save_weights(const std::filesystem::path& path, int64_t step) const;
  void remove_unlisted() const;

  std::filesystem::path folder_;
  modules::Transformer& model_;
  Adam& adam_;
  checkpoint::Identity identity_;
  checkpoint::StateFolder states_;
};

}  // namespace attnlab::training
