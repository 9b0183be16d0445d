#include "experiments/training/checkpoints.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/checkpoint/average.h"
#include "experiments/checkpoint/model_state.h"
#include "experiments/checkpoint/step_file.h"
#include "support/error.h"
#include "support/files.h"
#include "support/temporary_file.h"

namespace attnlab::training {
namespace {

namespace fs = std::filesystem;
using checkpoint::NamedTensors;
using checkpoint::Progress;

/// The parts of a flat tensor and the saved ones come from the same list of parameters, in the same order.
void copy_all(const NamedTensors& to, const NamedTensors& from) {
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < to.size(); ++i) torch::Tensor(to[i].second).copy_(from.at(i).second);
}

constexpr std::string_view kWeights = "weights";

/// Whether a checkpoint may have this name.
bool is_checkpoint_name(const std::string& name) {
  return name == "last.safetensors" || name == "best.safetensors" || name == "average.safetensors" ||
         checkpoint::step_of("state", name) || checkpoint::step_of(kWeights, name);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

/// Checkpoints that a killed process was writing; a folder belongs to one training at a time.
void remove_leftovers(const fs::path& folder) {
  for (const std::string& name : names_in(folder)) {
    const auto awaited = awaited_name(name);
    if (awaited && is_checkpoint_name(*awaited) && fs::is_regular_file(fs::symlink_status(folder / name)))
      fs::remove(folder / name);
  }
}

}  // namespace

Checkpoints::Checkpoints(fs::path folder, modules::Transformer& model, Adam& adam, checkpoint::Identity identity)
    : folder_(std::move(folder)), model_(model), adam_(adam), identity_(std::move(identity)), states_(folder_) {
  make_folder(folder_);
  remove_leftovers(folder_);
}

std::optional<Progress> Checkpoints::resume(uint64_t seed, const checkpoint::StateFolder::Warn& warn) {
  const auto state = states_.load_newest(warn);
  if (!state) return std::nullopt;
  if (state->progress.seed != seed) {
    throw Error(fmt::format("'{}' holds checkpoints of seed {}, this run has seed {}: choose another folder",
                            folder_.string(), state->progress.seed, seed));
  }
  if (state->identity) {
    checkpoint::require_same(*state->identity, identity_, states_.file_of(state->progress.step).string());
  } else {
    warn(fmt::format(
        "'{}': its checkpoints are of an older version and do not say what they were trained with; they are "
        "taken as they are",
        folder_.string()));
  }
  checkpoint::load_weights(*model_, state->weights, fmt::format("the states in '{}'", folder_.string()));
  copy_all(adam_.first_moments(), state->first_moments);
  copy_all(adam_.second_moments(), state->second_moments);
  adam_.set_steps(state->progress.step);
  return state->progress;
}

void Checkpoints::save_state(const Progress& progress) {
  states_.save(
      {progress, checkpoint::named_weights(*model_), adam_.first_moments(), adam_.second_moments(), identity_});
  save_last(progress);
  remove_unlisted();
}

void Checkpoints::save_weights(const fs::path& path, int64_t step) const {
  checkpoint::save_model(path, *model_, checkpoint::with_identity({{"step", std::to_string(step)}}, identity_));
}

void Checkpoints::save_last(const Progress& progress) const {
  save_weights(folder_ / "last.safetensors", progress.step);
}

void Checkpoints::save_best(const Progress& progress) const {
  save_weights(folder_ / "best.safetensors", progress.step);
}

void Checkpoints::save_for_average(Progress& progress, int64_t count) const {
  save_weights(weights_of(progress.step), progress.step);
  progress.recent.push_back(progress.step);
  while (static_cast<int64_t>(progress.recent.size()) > count) progress.recent.erase(progress.recent.begin());
}

void Checkpoints::restore_best(const Progress& progress) const {
  if (progress.best_step == 0) return;
  const fs::path path = folder_ / "best.safetensors";
  const auto notes = checkpoint::load_model(path, *model_);
  if (const auto named = checkpoint::identity_in(notes)) checkpoint::require_same(*named, identity_, path.string());
  const auto step = notes.find("step");
  if (step == notes.end() || step->second != std::to_string(progress.best_step)) {
    throw Error(
        fmt::format("'{}' is not of step {}, which had the lowest validation loss: another run wrote into this folder",
                    path.string(), progress.best_step));
  }
}

void Checkpoints::restore_average(const Progress& progress) const {
  std::vector<fs::path> files;
  for (const int64_t step : progress.recent) files.push_back(weights_of(step));
  const NamedTensors mean = checkpoint::average_files(files, identity_);
  const fs::path path = folder_ / "average.safetensors";
  const std::string steps = fmt::format("{}", fmt::join(progress.recent, ","));
  checkpoint::save_tensors(path, mean, checkpoint::with_identity({{"steps", steps}}, identity_));
  checkpoint::load_weights(*model_, mean, fmt::format("'{}'", path.string()));
}

fs::path Checkpoints::weights_of(int64_t step) const {
  return folder_ / checkpoint::step_file(kWeights, step);
}

void Checkpoints::remove_unlisted() const {
  std::set<int64_t> listed;
  for (const Progress& kept : states_.kept()) listed.insert(kept.recent.begin(), kept.recent.end());
  for (const std::string& name : names_in(folder_)) {
    const auto step = checkpoint::step_of(kWeights, name);
    if (step && !listed.contains(*step)) checkpoint::remove_step_file(folder_, kWeights, *step);
  }
}

}  // namespace attnlab::training
