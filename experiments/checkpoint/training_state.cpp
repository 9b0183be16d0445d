#include "experiments/checkpoint/training_state.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "experiments/checkpoint/step_file.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/number_text.h"

namespace attnlab::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kState = "state";
constexpr std::string_view kWeights = "weights/", kFirst = "first_moments/", kSecond = "second_moments/";
constexpr const char* kProgress = "progress";

std::string to_text(const Progress& p) {
  const Json json = {{"seed", p.seed},
                     {"step", p.step},
                     {"epoch", p.epoch},
                     {"batch", p.batch},
                     {"best_loss", finite_or_null(p.best_loss)},
                     {"best_step", p.best_step},
                     {"without_gain", p.without_gain},
                     {"recent", p.recent},
                     {"target_tokens", p.target_tokens},
                     {"train_seconds", p.train_seconds}};
  return json.dump();
}

Progress to_progress(const std::string& text, const std::string& where) {
  const Json json = parse_json(text, where);
  try {
    Progress p;
    json.at("seed").get_to(p.seed);
    json.at("step").get_to(p.step);
    json.at("epoch").get_to(p.epoch);
    json.at("batch").get_to(p.batch);
    if (!json.at("best_loss").is_null()) json.at("best_loss").get_to(p.best_loss);
    json.at("best_step").get_to(p.best_step);
    json.at("without_gain").get_to(p.without_gain);
    json.at("recent").get_to(p.recent);
    json.at("target_tokens").get_to(p.target_tokens);
    json.at("train_seconds").get_to(p.train_seconds);
    return p;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{} is no training state: {}", where, shape_problem(error)));
  }
}

void append(NamedTensors& all, std::string_view prefix, const NamedTensors& part) {
  for (const auto& [name, tensor] : part) all.emplace_back(fmt::format("{}{}", prefix, name), tensor);
}

TrainingState read_state(const fs::path& path) {
  TensorFile file = load_tensors(path);
  const auto progress = file.metadata.find(kProgress);
  if (progress == file.metadata.end()) throw Error(fmt::format("'{}' is no training state", path.string()));
  TrainingState state;
  state.identity = identity_in(file.metadata);
  state.progress = to_progress(progress->second, fmt::format("'{}'", path.string()));
  for (auto& [name, tensor] : file.tensors) {
    const auto take = [&, &full = name, &value = tensor](std::string_view prefix, NamedTensors& part) {
      if (full.starts_with(prefix)) part.emplace_back(full.substr(prefix.size()), value);
    };
    take(kWeights, state.weights);
    take(kFirst, state.first_moments);
    take(kSecond, state.second_moments);
  }
  return state;
}

}  // namespace

fs::path StateFolder::file_of(int64_t step) const {
  return folder_ / step_file(kState, step);
}

std::vector<int64_t> StateFolder::steps_present() const {
  std::vector<int64_t> steps;
  if (!fs::is_directory(folder_)) return steps;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const auto step = step_of(kState, entry.path().filename().string());
    if (step && entry.is_regular_file()) steps.push_back(*step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

std::optional<TrainingState> StateFolder::load_newest(const Warn& warn) {
  std::vector<int64_t> steps = steps_present();
  if (steps.empty()) return std::nullopt;
  std::string reasons;
  for (; !steps.empty(); steps.pop_back()) {
    try {
      TrainingState state = read_state(file_of(steps.back()));
      if (!reasons.empty()) warn(fmt::format("{}; going on from step {} instead", reasons, steps.back()));
      kept_ = {state.progress};
      return state;
    } catch (const Error& error) {
      reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ", error.what());
    }
  }
  throw Error(
      fmt::format("cannot resume: {}. Remove the folder '{}' to start from the beginning.", reasons, folder_.string()));
}

void StateFolder::save(const TrainingState& state) {
  NamedTensors tensors;
  append(tensors, kWeights, state.weights);
  append(tensors, kFirst, state.first_moments);
  append(tensors, kSecond, state.second_moments);
  Metadata notes = {{kProgress, to_text(state.progress)}};
  if (state.identity) notes = with_identity(std::move(notes), *state.identity);
  make_folder(folder_);
  save_tensors(file_of(state.progress.step), tensors, notes);

  std::erase_if(kept_, [&](const Progress& kept) { return kept.step == state.progress.step; });
  kept_.push_back(state.progress);
  if (kept_.size() > 2) kept_.erase(kept_.begin());
  for (const int64_t step : steps_present()) {
    const bool keep = std::any_of(kept_.begin(), kept_.end(), [&](const Progress& kept) { return kept.step == step; });
    if (!keep) remove_step_file(folder_, kState, step);
  }
}

}  // namespace attnlab::checkpoint
