#pragma once
/// Each cell against its partner in the baseline: the cell that is equal in everything except what the baseline fixes.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/results/collect.h"
#include "experiments/results/statistics.h"

namespace attnlab::results {

/// Fewer pairs than this are never called significant, whatever p is.
inline constexpr int kFewestPairs = 3;

/// What stands in the Δ column of one cell.
struct Comparison {
  enum class Kind {
    none,      ///< no baseline, no partner, or no seed that both have completed
    baseline,  ///< the cell is part of the baseline itself
    delta      ///< cell minus partner
  };
  Kind kind = Kind::none;
  size_t partner = 0;                 ///< index of the partner's cell, for `delta`
  PairedDifference difference;        ///< over the seeds that both have, for `delta`
  std::optional<Interval> bootstrap;  ///< 95 % percentile interval over seeds, from `kFewestToResample` pairs on
  std::optional<double> p_holm;       ///< p adjusted over all comparisons of the sweep
};

/// One comparison for each cell, by `metric`.
std::vector<Comparison> compare_to_baseline(const SweepResults& results, const std::string& metric);

/// "***" below 0.001, "**" below 0.01, "*" below 0.05 of the adjusted p, "" otherwise and below `kFewestPairs` pairs.
std::string stars(const Comparison& comparison);

}  // namespace attnlab::results
