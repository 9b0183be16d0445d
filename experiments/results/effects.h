#pragma once
/// What each factor of a grid does to a metric: main effects and two-way interactions, over matched combinations of
/// everything else (Montgomery, Design and Analysis of Experiments, chapter 5).

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/results/grid.h"
#include "experiments/results/statistics.h"

namespace attnlab::results {

/// A contrast of levels, averaged over combinations of the other factors that have all levels it needs, with the same
/// seeds. For each seed the contrasts of the combinations are averaged; mean, t interval and p are over these averages,
/// so `difference.n` counts seeds and one seed has no interval.
struct Contrast {
  PairedDifference difference;
  size_t combinations = 0;      ///< matched combinations of the other factors that are averaged over
  size_t all_combinations = 0;  ///< those of the full product
};

/// One level of a factor.
struct LevelEffect {
  size_t cells = 0, runs = 0;              ///< with a value of the metric
  std::optional<double> mean;              ///< mean over the means of these cells
  std::optional<Contrast> from_reference;  ///< level minus reference; nothing for the reference, and without a match
};

struct MainEffect {
  size_t factor = 0;                ///< of the grid
  std::vector<LevelEffect> levels;  ///< as in the grid
};

/// Two factors together. Rows are levels of `first`, columns of `second`.
struct Interaction {
  size_t first = 0, second = 0;
  std::vector<std::vector<std::optional<double>>> means;  ///< mean over the means of the cells
  /// [a][b]: (y_ab - y_a'b) - (y_ab' - y_a'b') with the references a' and b': how much the effect of a changes from b'
  /// to b. Nothing in the reference's row and column, and without a match.
  std::vector<std::vector<std::optional<Contrast>>> contrasts;
};

/// All effects on one metric.
struct Effects {
  std::vector<MainEffect> main;
  std::vector<Interaction> interactions;
  bool balanced = true;   ///< every combination of levels has a value for every seed
  std::string imbalance;  ///< what is missing and what follows, for a person; empty if balanced
};

Effects find_effects(const SweepResults& results, const Grid& grid, const std::string& metric);

}  // namespace attnlab::results
