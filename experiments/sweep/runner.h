#pragma once
/// Runs a planned sweep: one process a run, several at once. A run that fails, is killed or runs out of memory harms no
/// other.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/run_folder/record.h"
#include "experiments/spec/plan.h"
#include "experiments/spec/sweep_spec.h"
#include "experiments/sweep/manifest.h"
#include "experiments/sweep/status.h"

namespace attnlab::sweep {

/// What happens to the other runs when one fails.
enum class OnFailure {
  go_on,  ///< they are done as planned
  stop    ///< running ones are interrupted (and can be continued), waiting ones are not started
};

/// How a sweep is run. `out`, `command` and `sweep` are required.
struct RunnerOptions {
  std::filesystem::path out;  ///< folder of the sweep; made if it is not there
  /// The process of one run: its arguments, from the path of its config.json and its folder.
  std::function<std::vector<std::string>(const std::filesystem::path& config, const std::filesystem::path& folder)>
      command;
  spec::SweepSpec sweep;  ///< the spec that was planned: name, metric, baseline, document
  size_t jobs = 1;        ///< runs at once
  size_t cores = 0;       ///< divided among the jobs; 0 = those that this process may use
  OnFailure on_failure = OnFailure::go_on;
  double poll_seconds = 0.25;  ///< how often the observer hears of the progress
  /// How often the person has asked to stop (Ctrl-C): 1 = let runs write a checkpoint and end, 2 = kill them. Empty:
  /// never.
  std::function<int()> stop_requests;
};

/// Everything there is to show, several times a second.
struct SweepView {
  std::vector<RunStatus> runs;  ///< in the order of the plan
  double elapsed_seconds = 0;   ///< since this start
  int64_t steps_before = 0;     ///< training steps that were done before this start, over all runs
};

/// Receives what happens. Every member has an empty default.
class RunnerObserver {
 public:
  virtual ~RunnerObserver() = default;
  virtual void began(const RunStatus& /*run*/) {}
  virtual void ended(const RunStatus& /*run*/) {}
  virtual void progressed(const SweepView& /*view*/) {}
};

/// How the sweep stands when it is left, over all planned runs.
struct SweepResult {
  size_t completed = 0, failed = 0, diverged = 0, interrupted = 0, queued = 0;
  size_t done_before = 0;  ///< of completed and diverged: finished by an earlier start
  size_t failures = 0;     ///< failed ones, and diverged ones if the spec says so (on_divergence)
  bool stopped_by_person = false;
};

/// Writes spec.json, manifest.json and each run's config.json, then starts what is not finished and waits for all.
/// Threads are cores / jobs, except that a run that was started before keeps its number. Completed and diverged runs
/// are left alone; failed and interrupted ones are continued. Throws attnlab::Error before anything is started if a
/// planned run has problems, the folder is in use, or a folder holds a run with another configuration.
SweepResult run_sweep(const std::vector<spec::PlannedRun>& plan, const RunnerOptions& options,
                      RunnerObserver& observer);

}  // namespace attnlab::sweep
