#include "experiments/checkpoint/training_state.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::checkpoint {
namespace {

using tests::error_message;
using tests::TemporaryFolder;

TrainingState state_of(int64_t step) {
  TrainingState state;
  state.progress.seed = 9223372036854775807ULL;
  state.progress.step = step;
  state.progress.epoch = 3;
  state.progress.batch = 17;
  state.progress.recent = {10, 20};
  state.progress.train_seconds = 0.1;
  state.weights = {{"w", torch::full({2}, step, at::kFloat)}};
  state.first_moments = {{"w", torch::full({2}, 0.5)}};
  state.second_moments = {{"w", torch::full({2}, 0.25)}};
  return state;
}

std::vector<std::string> files_in(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Collects what a person would be told.
struct Warnings {
  std::string text;
  StateFolder::Warn sink() {
    return [this](const std::string& message) { text += message; };
  }
};

void damage(const std::filesystem::path& path) {
  std::string content = read_file(path, "test");
  content[content.size() - 5] ^= 0x40;
  std::ofstream(path, std::ios::binary) << content;
}

TEST_CASE("A state comes back as it was", "[training_state]") {
  TemporaryFolder folder;
  Warnings warnings;
  CHECK_FALSE(StateFolder(folder / "missing").load_newest(warnings.sink()));
  StateFolder(folder.path()).save(state_of(20));
  const auto state = StateFolder(folder.path()).load_newest(warnings.sink());
  REQUIRE(state);
  const Progress& p = state->progress;
  CHECK(p.seed == 9223372036854775807ULL);
  CHECK(p.step == 20);
  CHECK(p.epoch == 3);
  CHECK(p.batch == 17);
  CHECK(std::isinf(p.best_loss));
  CHECK(p.recent == std::vector<int64_t>{10, 20});
  CHECK(p.train_seconds == 0.1);
  CHECK(state->weights[0].first == "w");
  CHECK(torch::equal(state->weights[0].second, torch::full({2}, 20.0F)));
  CHECK(torch::equal(state->first_moments[0].second, torch::full({2}, 0.5F)));
  CHECK(torch::equal(state->second_moments[0].second, torch::full({2}, 0.25F)));
  CHECK(warnings.text.empty());
}

TEST_CASE("The two newest states are kept, by step and not by name", "[training_state]") {
  TemporaryFolder folder;
  StateFolder states(folder.path());
  for (const int64_t step : {8, 9, 10, 100}) states.save(state_of(step));
  CHECK(files_in(folder) == std::vector<std::string>{"state-10.safetensors", "state-100.safetensors"});
  Warnings warnings;
  CHECK(StateFolder(folder.path()).load_newest(warnings.sink())->progress.step == 100);
}

TEST_CASE("A damaged newest state is named and the older one taken", "[training_state]") {
  TemporaryFolder folder;
  StateFolder(folder.path()).save(state_of(10));
  {
    Warnings ignored;
    StateFolder states(folder.path());
    states.load_newest(ignored.sink());
    states.save(state_of(20));
  }
  std::ofstream(folder / "state-30.safetensors.123-0.tmp") << "half a file";
  damage(folder / "state-20.safetensors");

  Warnings warnings;
  StateFolder states(folder.path());
  const auto state = states.load_newest(warnings.sink());
  REQUIRE(state);
  CHECK(state->progress.step == 10);
  CHECK(warnings.text.find("state-20.safetensors") != std::string::npos);
  CHECK(warnings.text.find("damaged") != std::string::npos);
  CHECK(warnings.text.find("going on from step 10") != std::string::npos);

  // The damaged file never pushes out the whole one, and goes when a new whole one is there.
  states.save(state_of(15));
  CHECK(std::filesystem::exists(folder / "state-10.safetensors"));
  CHECK(std::filesystem::exists(folder / "state-15.safetensors"));
  CHECK_FALSE(std::filesystem::exists(folder / "state-20.safetensors"));
}

TEST_CASE("What a person put beside states stays, and is no state", "[training_state]") {
  TemporaryFolder folder;
  for (const char* name : {"state-5x.safetensors", "state-05.safetensors", "state-mine.safetensors"})
    std::ofstream(folder / name) << "mine";
  std::filesystem::create_directories(folder / "state-900.safetensors");
  StateFolder states(folder.path());
  Warnings warnings;
  CHECK_FALSE(states.load_newest(warnings.sink()));
  std::ofstream(folder / "state-5.safetensors") << "mine";
  for (const int64_t step : {10, 20, 30}) states.save(state_of(step));
  CHECK(files_in(folder) == std::vector<std::string>{"state-05.safetensors", "state-20.safetensors",
                                                     "state-30.safetensors", "state-5.safetensors",
                                                     "state-5x.safetensors", "state-900.safetensors",
                                                     "state-mine.safetensors"});
  CHECK(states.load_newest(warnings.sink())->progress.step == 30);
  CHECK(warnings.text.empty());
}

TEST_CASE("Only damaged states are refused", "[training_state]") {
  TemporaryFolder folder;
  StateFolder(folder.path()).save(state_of(10));
  damage(folder / "state-10.safetensors");
  Warnings warnings;
  const std::string message = error_message([&] { StateFolder(folder.path()).load_newest(warnings.sink()); });
  CHECK(message.find("state-10.safetensors") != std::string::npos);
  CHECK(message.find("Remove the folder") != std::string::npos);
}

}  // namespace
}  // namespace attnlab::checkpoint
