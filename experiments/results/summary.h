#pragma once
/// The numbers of the table: for each cell and metric mean, spread and n, and the difference to the baseline.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/results/collect.h"
#include "experiments/results/compare.h"
#include "experiments/results/published.h"

namespace attnlab::results {

/// A metric over the seeds of one cell.
struct MetricSummary {
  std::map<int64_t, double> by_seed;
  double mean = 0;           ///< infinite if one of the values is: a perplexity that no double holds
  std::optional<double> sd;  ///< nothing for one seed, or an infinite mean
};

/// One line of the table.
struct CellSummary {
  std::map<std::string, MetricSummary> metrics;
  Comparison comparison;             ///< of the main metric
  bool best = false;                 ///< the best mean of the main metric
  std::vector<std::string> remarks;  ///< what is missing: "seed 2 failed: out of memory"
};

/// A sweep in numbers. `cells` goes along with `results.cells`.
struct SweepSummary {
  SweepResults results;
  std::vector<CellSummary> cells;
  std::vector<PublishedMetric> published;  ///< what a paper printed beside it; empty if the spec names nothing
  std::map<std::string, std::set<std::string>>
      signatures;  ///< metric -> sacreBLEU signatures of the runs (one, if all is well)
  std::map<std::string, std::set<std::string>> notes;  ///< conventions of the runs, by name
};

SweepSummary summarize(SweepResults results);

}  // namespace attnlab::results
