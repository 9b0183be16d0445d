#pragma once
/// Runs a planned sweep and shows how it goes, for `run` and for the studies.

#include <filesystem>
#include <string>

#include "app/cache_folder.h"
#include "app/plan_sweep.h"
#include "experiments/results/report/report.h"
#include "experiments/sweep/runner.h"

namespace attnlab::app {

/// How a sweep is run.
struct RunSettings {
  std::string out, cache = default_cache();
  size_t jobs = 0;  ///< 0: the cores on a CPU, 1 on a GPU
  bool quiet = false, fail_fast = false;
};

/// The options --out, --jobs, --cache, --fail-fast and --quiet.
void add_run_settings(CLI::App& verb, RunSettings& settings);

/// Starts, or continues, all runs, until they have ended or the person stops them; then writes the results.
sweep::SweepResult run_planned(const SweepPlan& plan, const RunSettings& settings);

/// Writes the page of the sweep in `out`, and gives its path. Of a study, its comparison is written again, too.
std::filesystem::path write_page(const std::string& out, results::ReportOptions options);

/// How the page is written after a run: a person who has stopped it is not kept waiting by tests over sentences.
results::ReportOptions page_after(const sweep::SweepResult& result);

/// The exit code of a sweep that was left like this: `done` only if every run has its result.
int exit_code_of(const sweep::SweepResult& result);

}  // namespace attnlab::app
