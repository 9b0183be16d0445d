#include "experiments/checkpoint/step_file.h"

#include <fstream>

#include "experiments/checkpoint/training_state.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::checkpoint {
namespace {

namespace fs = std::filesystem;
using tests::TemporaryFolder;

TEST_CASE("Names of steps are read whole", "[step_file]") {
  CHECK(step_file("state", 120) == "state-120.safetensors");
  CHECK(step_of("state", "state-120.safetensors") == 120);
  CHECK(step_of("state", "state-0.safetensors") == 0);
  for (const char* name :
       {"state-5x.safetensors", "state-05.safetensors", "state--5.safetensors", "state-+5.safetensors",
        "state-.safetensors", "state", "state-5", "state-5.safetensors.1-0.tmp", "state-mine.safetensors",
        "weights-5.safetensors", "state_5.safetensors", "state-99999999999999999999.safetensors"}) {
    INFO(name);
    CHECK_FALSE(step_of("state", name));
  }
}

TEST_CASE("Only a checkpoint of the step in its name is removed", "[step_file]") {
  const TemporaryFolder folder;
  const auto stays = [&](int64_t step) {
    remove_step_file(folder.path(), "weights", step);
    return fs::exists(fs::symlink_status(folder / step_file("weights", step)));
  };
  save_tensors(folder / "weights-1.safetensors", {{"w", torch::ones({2})}}, {{"step", "1"}});
  CHECK_FALSE(stays(1));
  save_tensors(folder / "weights-2.safetensors", {{"w", torch::ones({2})}}, {{"step", "1"}});
  save_tensors(folder / "weights-3.safetensors", {{"w", torch::ones({2})}});
  std::ofstream(folder / "weights-4.safetensors") << "mine";
  std::ofstream(folder / "weights-5.safetensors") << "mine, and longer than a length";
  fs::create_directories(folder / "weights-6.safetensors");
  save_tensors(folder / "far.safetensors", {{"w", torch::ones({2})}}, {{"step", "7"}});
  fs::create_symlink(folder / "far.safetensors", folder / "weights-7.safetensors");
  fs::create_symlink(folder / "nowhere", folder / "weights-8.safetensors");
  for (const int64_t step : {2, 3, 4, 5, 6, 7, 8}) {
    INFO(step);
    CHECK(stays(step));
  }
}

TEST_CASE("A state's metadata are read without its tensors", "[step_file]") {
  const TemporaryFolder folder;
  TrainingState state;
  state.progress.step = 20;
  state.weights = {{"w", torch::ones({2})}};
  StateFolder(folder.path()).save(state);
  const fs::path path = folder / "state-20.safetensors";
  CHECK(load_metadata(path) == load_tensors(path).metadata);
  fs::resize_file(path, fs::file_size(path) - 8);
  CHECK(load_metadata(path).contains("progress"));
  fs::resize_file(path, 20);
  CHECK(tests::error_message([&] { load_metadata(path); }).find("state-20.safetensors' is damaged") !=
        std::string::npos);
}

}  // namespace
}  // namespace attnlab::checkpoint
