#pragma once
/// The list of all runs of a sweep, `manifest.json`: what status, table and report need to know of the plan, so that
/// none of them reads the spec again.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/run_folder/record.h"
#include "experiments/spec/sweep_spec.h"
#include "support/json.h"

namespace attnlab::sweep {

using spec::Goal;

/// One planned run.
struct ManifestRun {
  std::string folder;   ///< `<variant>-<hash>/seed=<n>`, below `runs/`
  std::string variant;  ///< readable name of the cell
  std::string hash;     ///< 8 hex digits
  int64_t seed = 0;
  Json factors = Json::object();            ///< what the spec varies: path -> value, in the order of the spec
  std::map<std::string, double> published;  ///< metric -> what a paper printed for the cell
  int64_t steps = 0;                        ///< optimizer steps that it takes
  bool current = true;  ///< part of the latest spec; older runs stay listed but are not in the table
};

/// A sweep.
struct Manifest {
  std::string name;
  std::string metric = "test.bleu";  ///< a key of run_folder::RunRecord::metrics
  Goal goal = Goal::maximize;
  Json baseline = Json::object();  ///< path -> value of the factors that the baseline fixes; empty: no baseline
  std::string published_source;    ///< where the published numbers stand; empty: there are none
  std::vector<ManifestRun> runs;
};

/// The folder of a run.
std::filesystem::path run_path(const std::filesystem::path& out, const ManifestRun& run);

/// Throws attnlab::Error for a record that another run has written.
void require_own_record(const run_folder::RunRecord& record, const std::filesystem::path& out, const ManifestRun& run);

/// The record of a run as `run_folder::look_at_record` gives it; one that another run has written has failed, with that
/// as its error.
run_folder::RunRecord look_at_record(const std::filesystem::path& out, const ManifestRun& run);

/// Reads `out/manifest.json`. Throws attnlab::Error if it is missing or damaged.
Manifest read_manifest(const std::filesystem::path& out);

/// Writes `out/manifest.json` atomically. Runs of an older manifest there that are not in this one stay listed, as not
/// current.
void write_manifest(const std::filesystem::path& out, Manifest manifest);

}  // namespace attnlab::sweep
