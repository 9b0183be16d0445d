#pragma once
/// A small sweep in a temporary folder whose runs are done by `fake_run`.

#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "experiments/sweep/runner.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::sweep {

/// `count` runs of one cell each, seed 1, heads 1, 2, ...
inline std::vector<spec::PlannedRun> make_plan(int count) {
  std::vector<spec::PlannedRun> plan;
  for (int heads = 1; heads <= count; ++heads) {
    spec::PlannedRun run;
    run.factors = {{"model.heads", heads}};
    run.variant = fmt::format("heads={}", heads);
    run.config.data.generator = "copy";
    run.config.model.heads = heads;
    run.config.training.steps = 100;
    run.variant_hash = fmt::format("0000000{}", heads);
    run.folder = fmt::format("{}-{}/seed=1", run.variant, run.variant_hash);
    plan.push_back(run);
  }
  return plan;
}

/// Remembers what it was told.
struct RecordingObserver : RunnerObserver {
  void began(const RunStatus& run) override { started.push_back(run.variant); }
  void ended(const RunStatus& run) override { statuses[run.variant] = run; }
  void progressed(const SweepView& next) override { view = next; }

  std::vector<std::string> started;
  std::map<std::string, RunStatus> statuses;
  SweepView view;
};

/// Folder, plan and options together. `behaviours[i]` is what run i does (see fake_run.cpp).
struct FakeSweep {
  explicit FakeSweep(const std::vector<std::string>& behaviours)
      : plan(make_plan(static_cast<int>(behaviours.size()))) {
    options.out = folder.path() / "out";
    options.sweep.name = "fake";
    options.sweep.baseline = {{"model.heads", 1}};
    options.sweep.document = {{"name", "fake"}};
    options.cores = 4;
    options.poll_seconds = 0.02;
    behave(behaviours);
  }

  void behave(const std::vector<std::string>& behaviours) {
    std::map<std::string, std::string> of_folder;
    for (size_t i = 0; i < behaviours.size(); ++i) of_folder[path(i).string()] = behaviours[i];
    options.command = [of_folder](const std::filesystem::path& config, const std::filesystem::path& run) {
      return std::vector<std::string>{ATTNLAB_FAKE_RUN, of_folder.at(run.string()), config.string(), run.string()};
    };
  }

  std::filesystem::path path(size_t run) const { return options.out / "runs" / plan[run].folder; }
  run_folder::RunRecord record(size_t run) const { return run_folder::read_record(path(run)).value(); }
  SweepResult run() { return run_sweep(plan, options, observer); }

  tests::TemporaryFolder folder;
  std::vector<spec::PlannedRun> plan;
  RunnerOptions options;
  RecordingObserver observer;
};

/// How many times a run's process was started, by the lines in its log.
inline int starts_of(const std::filesystem::path& run_folder) {
  std::ifstream log(run_folder / "train.log");
  int starts = 0;
  for (std::string line; std::getline(log, line);) starts += line.rfind("--- ", 0) == 0 ? 1 : 0;
  return starts;
}

/// Waits, at most ten seconds, until something is so.
template <typename Condition>
bool wait_for(const Condition& condition) {
  for (int i = 0; i < 1000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

}  // namespace attnlab::sweep
