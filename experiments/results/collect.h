#pragma once
/// The results of a sweep, gathered from its folder: one cell for each combination of factors, with its runs by seed.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/run_folder/record.h"
#include "experiments/sweep/manifest.h"

namespace attnlab::results {

/// One run of a cell.
struct CellRun {
  int64_t seed = 0;
  std::string folder;            ///< below `runs/`
  run_folder::RunRecord record;  ///< as `sweep::look_at_record` gives it
};

/// All runs that differ in nothing but the seed.
struct Cell {
  std::string variant, hash;
  Json factors = Json::object();            ///< path -> value
  std::map<std::string, double> published;  ///< metric -> what a paper printed for the cell
  std::vector<CellRun> runs;                ///< in the order of the plan
};

/// A sweep as the table shows it.
struct SweepResults {
  std::string name;
  std::string metric;  ///< the main one, e.g. "test.bleu"
  sweep::Goal goal = sweep::Goal::maximize;
  Json baseline = Json::object();
  std::string published_source;      ///< where the published numbers stand; empty: there are none
  std::vector<std::string> factors;  ///< paths of all factors, in the order of the spec
  std::vector<Cell> cells;           ///< in the order of the plan
};

/// Reads the manifest and all records of the latest spec. Throws attnlab::Error if `out` holds no sweep.
SweepResults collect(const std::filesystem::path& out);

/// What is known of a completed run as numbers: its metrics, "parameters" and "minutes".
std::map<std::string, double> run_metrics(const run_folder::RunRecord& record);

/// What becomes of infinite values: nothing can be computed with them, but they can be shown.
enum class Infinite { left_out, kept };

/// Seed -> value of a metric, over the completed runs of a cell where it is a number.
std::map<int64_t, double> values_by_seed(const Cell& cell, const std::string& metric,
                                         Infinite infinite = Infinite::left_out);

}  // namespace attnlab::results
