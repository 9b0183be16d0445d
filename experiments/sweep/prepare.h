#pragma once
/// The part of a sweep before anything is started: the plan as files.

#include <vector>

#include "experiments/spec/plan.h"
#include "experiments/sweep/manifest.h"
#include "experiments/sweep/runner.h"

namespace attnlab::sweep {

/// Throws attnlab::Error that lists the problems of planned runs, if there are any.
void refuse_problems(const std::vector<spec::PlannedRun>& plan);

/// Writes spec.json (one that differs is kept as spec.1.json, spec.2.json, ...), manifest.json, and for each run
/// config.json and a queued record. What is there already is checked, not overwritten; a spec.json that is not from a
/// sweep is refused. Gives the manifest's entries in
/// the order of the plan. The lock of the folder must be held.
std::vector<ManifestRun> prepare_folders(const std::vector<spec::PlannedRun>& plan, const RunnerOptions& options);

}  // namespace attnlab::sweep
