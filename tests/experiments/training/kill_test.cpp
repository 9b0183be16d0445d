// A training process that is really killed, at moments that nobody chose, also in the middle of writing a checkpoint.

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"

namespace attnlab::training {
namespace {

constexpr const char* kFolder = "ATTNLAB_KILL_TEST_FOLDER";

spec::RunConfig config_of_child() {
  spec::RunConfig config = tests::tiny_config();
  config.training.steps = 800;
  config.training.checkpoint_every = 1;
  config.training.validate_every = 20;
  config.training.average_last = 3;
  config.training.evaluate = "average";
  return config;
}

/// This program again, running only the hidden case below.
pid_t start_child(const std::filesystem::path& folder) {
  ::setenv(kFolder, folder.c_str(), /*overwrite=*/1);
  ::setenv("OMP_NUM_THREADS", "1", /*overwrite=*/1);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/proc/self/exe", "training_tests", "[kill_test_child]", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  return child;
}

TEST_CASE("The process that is to be killed", "[.][kill_test_child]") {
  const char* folder = std::getenv(kFolder);
  REQUIRE(folder != nullptr);
  tests::Recorder recorder;
  CHECK(tests::run(config_of_child(), folder, recorder).result.outcome == Outcome::completed);
}

TEST_CASE("Killed 20 times at random moments, the weights are those of a run never killed", "[slow]") {
  tests::TemporaryFolder folder;
  const auto whole = folder / "whole", killed = folder / "killed";
  int status = 0;
  REQUIRE(::waitpid(start_child(whole), &status, 0) > 0);
  REQUIRE(status == 0);

  std::mt19937 random(1);
  std::uniform_int_distribution<int> milliseconds(200, 700);
  for (int kills = 0; kills < 20; ++kills) {
    const pid_t child = start_child(killed);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(random)));
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
  }
  REQUIRE(::waitpid(start_child(killed), &status, 0) > 0);
  REQUIRE(status == 0);
  for (const auto& entry : std::filesystem::directory_iterator(killed))
    CHECK(entry.path().extension() == ".safetensors");
  for (const char* file : {"last.safetensors", "best.safetensors", "average.safetensors"}) {
    INFO(file);
    CHECK(read_file(killed / file, "test") == read_file(whole / file, "test"));
  }
}

}  // namespace
}  // namespace attnlab::training
