// A training that was stopped or killed and started again ends as one that never was.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "experiments/training/batch_order.h"
#include "support/files.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::training {
namespace {

namespace fs = std::filesystem;
using tests::Recorder;
using tests::TemporaryFolder;
using tests::TinyRun;

/// What an observer's log of both halves must be.
void check_same_log(const Recorder& whole, const Recorder& first, const Recorder& second) {
  std::vector<StepReport> joined = first.steps;
  joined.insert(joined.end(), second.steps.begin(), second.steps.end());
  REQUIRE(joined.size() == whole.steps.size());
  for (size_t i = 0; i < joined.size(); ++i) {
    INFO("step " << i + 1);
    CHECK(joined[i].step == whole.steps[i].step);
    CHECK(joined[i].epoch == whole.steps[i].epoch);
    CHECK(joined[i].loss == whole.steps[i].loss);
    CHECK(joined[i].learning_rate == whole.steps[i].learning_rate);
    CHECK(joined[i].gradient_norm == whole.steps[i].gradient_norm);
    CHECK(joined[i].target_tokens == whole.steps[i].target_tokens);
  }
}

void check_cut(const spec::RunConfig& config, int64_t cut) {
  INFO("cut after step " << cut);
  TemporaryFolder folder;
  Recorder whole, first, second;
  const TinyRun reference = tests::run(config, folder / "whole", whole);

  first.stop_after = cut;
  const TinyRun half = tests::run(config, folder / "cut", first);
  CHECK(half.result.outcome == Outcome::interrupted);
  CHECK(half.result.steps == cut);
  const TinyRun resumed = tests::run(config, folder / "cut", second);
  CHECK(resumed.result.outcome == Outcome::completed);
  CHECK(second.first_step == cut + 1);
  CHECK(tests::largest_difference(*reference.model, *resumed.model) == 0);
  CHECK(resumed.result.target_tokens == reference.result.target_tokens);
  CHECK(resumed.result.best_valid_loss == reference.result.best_valid_loss);
  check_same_log(whole, first, second);
  for (const char* file : {"last.safetensors", "best.safetensors"}) {
    CHECK(read_file(folder / "cut" / file, "test") == read_file(folder / "whole" / file, "test"));
  }
}

TEST_CASE("10 steps and 10 more are 20 steps, wherever the cut is", "[resume]") {
  spec::RunConfig config = tests::tiny_config();
  const data::Dataset dataset = tests::dataset_of(config);
  const BatchOrder order(dataset.train, config.training.batch_tokens, 7, 1, 0);
  INFO(order.batches_in_epoch() << " batches an epoch");
  REQUIRE(order.batches_in_epoch() > 4);
  config.training.evaluate = "last";
  // Two batches a step: the epoch's end falls between two steps in the second epoch at the latest.
  const int64_t end_of_two_epochs = order.batches_in_epoch();
  config.training.steps = std::max<int64_t>(20, end_of_two_epochs + 4);
  check_cut(config, 10);
  check_cut(config, end_of_two_epochs);
}

TEST_CASE("Validation, early stopping and averaging go on where they stood", "[resume]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.validate_every = 4;
  config.training.average_last = 3;
  config.training.evaluate = "average";
  check_cut(config, 10);
  config.training.evaluate = "best";
  check_cut(config, 4);
}

TEST_CASE("BatchNorm's running statistics are resumed, averaged and tested with the weights", "[resume]") {
  spec::RunConfig config = tests::tiny_config();
  config.model.norm.type = "batch_norm";
  config.model.norm.placement = "sandwich";
  config.training.steps = 12;
  config.training.validate_every = 4;
  config.training.average_last = 2;
  for (const char* evaluate : {"average", "best", "last"}) {
    INFO(evaluate);
    config.training.evaluate = evaluate;
    check_cut(config, 5);
    check_cut(config, 8);
  }
}

/// Copies the folder as it is after a step: what a kill at that moment leaves behind.
struct Snapshots : Recorder {
  Snapshots(fs::path from, fs::path to) : from_(std::move(from)), to_(std::move(to)) {
    after_step = [this] {
      if (fs::exists(from_)) fs::copy(from_, to_ / std::to_string(steps.back().step), fs::copy_options::recursive);
    };
  }
  fs::path from_, to_;
};

TEST_CASE("Killed after any step, in any state of the files, the end is the same", "[resume]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.steps = 9;
  config.training.validate_every = 3;
  config.training.checkpoint_every = 2;
  config.training.average_last = 2;
  config.training.evaluate = "average";
  TemporaryFolder folder;
  fs::create_directories(folder / "killed");
  Snapshots snapshots(folder / "whole", folder / "killed");
  const TinyRun reference = tests::run(config, folder / "whole", snapshots);
  for (int64_t step = 1; step < config.training.steps; ++step) {
    INFO("killed after step " << step);
    const fs::path killed = folder / "killed" / std::to_string(step);
    std::ofstream(killed / "state-99.safetensors.1-0.tmp") << "cut short";
    std::ofstream(killed / "average.safetensors.4711-12.tmp") << "";
    // Killed while a later state was being written: the weights that it would speak of are there already.
    fs::copy_file(folder / "whole" / "weights-9.safetensors", killed / "weights-9.safetensors");
    fs::copy_file(folder / "whole" / "best.safetensors", killed / "best.safetensors",
                  fs::copy_options::overwrite_existing);
    Recorder recorder;
    const TinyRun resumed = tests::run(config, killed, recorder);
    CHECK(recorder.warnings.empty());
    CHECK_FALSE(fs::exists(killed / "state-99.safetensors.1-0.tmp"));
    CHECK_FALSE(fs::exists(killed / "average.safetensors.4711-12.tmp"));
    CHECK(recorder.first_step > step - 3);
    CHECK(tests::largest_difference(*reference.model, *resumed.model) == 0);
    for (const char* file : {"last.safetensors", "best.safetensors", "average.safetensors"}) {
      CHECK(read_file(killed / file, "test") == read_file(folder / "whole" / file, "test"));
    }
  }
}

TEST_CASE("A damaged newest state costs steps, not the run", "[resume]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.checkpoint_every = 5;
  TemporaryFolder folder;
  Recorder whole, first, second;
  const TinyRun reference = tests::run(config, folder / "whole", whole);
  first.stop_after = 12;
  tests::run(config, folder / "cut", first);
  fs::resize_file(folder / "cut" / "state-12.safetensors", fs::file_size(folder / "cut" / "state-12.safetensors") / 2);
  const TinyRun resumed = tests::run(config, folder / "cut", second);
  REQUIRE(second.warnings.size() == 1);
  CHECK(second.warnings[0].find("state-12.safetensors") != std::string::npos);
  CHECK(second.first_step == 11);
  CHECK(tests::largest_difference(*reference.model, *resumed.model) == 0);
}

TEST_CASE("What a person put beside the checkpoints stays", "[resume]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.steps = 9;
  config.training.validate_every = 3;
  config.training.checkpoint_every = 2;
  config.training.average_last = 1;
  TemporaryFolder folder;
  const std::vector<std::string> files = {"my.tmp",
                                          "best.safetensors.tmp",
                                          "notes.7-0.tmp",
                                          "state-5x.safetensors.7-0.tmp",
                                          "state-5.safetensors.007-0.tmp",
                                          "weights-mine.safetensors",
                                          "weights-03.safetensors",
                                          "weights-1.safetensors",
                                          "state-1.safetensors"};
  const std::vector<std::string> folders = {"weights-d.safetensors/full", "weights-4.safetensors/full",
                                            "last.safetensors.7-0.tmp/full"};
  for (const std::string& name : folders) fs::create_directories(folder / name);
  Recorder first, second;
  first.stop_after = 5;
  tests::run(config, folder.path(), first);
  for (const std::string& name : files) std::ofstream(folder / name) << "mine";
  CHECK(tests::run(config, folder.path(), second).result.outcome == Outcome::completed);
  CHECK(second.first_step == 6);
  for (const std::string& name : files) CHECK(read_file(folder / name, "test") == "mine");
  for (const std::string& name : folders) CHECK(fs::is_directory(folder / name));
  CHECK_FALSE(fs::exists(folder / "weights-3.safetensors"));
  CHECK_FALSE(fs::exists(folder / "state-5.safetensors"));
}

TEST_CASE("A finished training does nothing more and gives the same weights", "[resume]") {
  const spec::RunConfig config = tests::tiny_config();
  TemporaryFolder folder;
  Recorder first, again;
  const TinyRun done = tests::run(config, folder.path(), first);
  const TinyRun repeated = tests::run(config, folder.path(), again);
  CHECK(again.steps.empty());
  CHECK(repeated.result.outcome == Outcome::completed);
  CHECK(repeated.result.steps == 20);
  CHECK(tests::largest_difference(*done.model, *repeated.model) == 0);
}

TEST_CASE("Checkpoints of another run are refused, although their shapes fit", "[resume]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.steps = 1;
  TemporaryFolder folder;
  Recorder recorder;
  tests::run(config, folder.path(), recorder);
  spec::RunConfig other = config;
  other.seed = 8;
  CHECK(tests::error_message([&] { tests::run(other, folder.path(), recorder); }).find("seed 7") != std::string::npos);
  other = config;
  other.model.heads = 1;
  const std::string refusal = tests::error_message([&] { tests::run(other, folder.path(), recorder); });
  CHECK(refusal.find("state-1.safetensors") != std::string::npos);
  CHECK(refusal.find("model.heads: 2 there, 1 here") != std::string::npos);
}

/// Takes what newer versions note out of the checkpoints of a folder.
void make_old(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  for (const fs::path& path : paths) {
    checkpoint::TensorFile file = checkpoint::load_tensors(path);
    file.metadata.erase("configuration");
    file.metadata.erase("tokenizers");
    checkpoint::save_tensors(path, file.tensors, file.metadata);
  }
}

TEST_CASE("Checkpoints that do not say what they belong to are taken with a warning, and the next ones say it",
          "[resume]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.checkpoint_every = 5;
  TemporaryFolder folder;
  Recorder whole, first, second, third;
  const TinyRun reference = tests::run(config, folder / "whole", whole);
  first.stop_after = 12;
  tests::run(config, folder / "cut", first);
  make_old(folder / "cut");
  second.stop_after = 16;
  tests::run(config, folder / "cut", second);
  REQUIRE(second.warnings.size() == 1);
  CHECK(second.warnings[0].find("older version") != std::string::npos);
  const TinyRun resumed = tests::run(config, folder / "cut", third);
  CHECK(third.warnings.empty());
  CHECK(tests::largest_difference(*reference.model, *resumed.model) == 0);
}

TEST_CASE("Best weights of another run are refused", "[resume]") {
  spec::RunConfig config = tests::tiny_config(), other = config;
  config.training.steps = other.training.steps = 2;
  other.seed = 8;
  TemporaryFolder folder;
  Recorder recorder;
  tests::run(config, folder / "own", recorder);
  tests::run(other, folder / "other", recorder);
  fs::copy_file(folder / "other" / "best.safetensors", folder / "own" / "best.safetensors",
                fs::copy_options::overwrite_existing);
  const std::string refusal = tests::error_message([&] { tests::run(config, folder / "own", recorder); });
  CHECK(refusal.find("best.safetensors") != std::string::npos);
  CHECK(refusal.find("seed: 8 there, 7 here") != std::string::npos);
}

}  // namespace
}  // namespace attnlab::training
