#pragma once
/// The part that `plan` and `run` share: a spec, with the changes of the command line, as a list of runs.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "experiments/spec/plan.h"
#include "experiments/spec/sweep_spec.h"
#include "experiments/sweep/runner.h"

namespace attnlab::app {

/// Arguments of both verbs.
struct SweepArguments {
  std::string spec;
  spec::Overrides overrides;
};

void add_sweep_arguments(CLI::App& verb, SweepArguments& arguments);

/// Whether data that are not there, or cannot be used, stop a run.
enum class MissingData {
  refuse,  ///< an attnlab::Error
  note     ///< they are named in SweepPlan::missing or ::unusable; the hashes of these runs then lack their data
};

/// A spec that has been read, and its runs.
struct SweepPlan {
  spec::SweepSpec spec;
  std::vector<spec::PlannedRun> runs;
  std::vector<std::string> missing, unusable;
};
/// `cache` is the folder of tokenizers and encoded data: what earlier runs kept there of the data saves reading them.
SweepPlan plan_sweep(const SweepArguments& arguments, MissingData missing_data, const std::string& cache);
SweepPlan plan_sweep(spec::SweepSpec sweep, MissingData missing_data, const std::string& cache);

/// What the runner has to know of the spec.
sweep::RunnerOptions runner_options(const SweepPlan& plan);

/// The path of this program, to start it again for one run.
std::string program_path();

}  // namespace attnlab::app
