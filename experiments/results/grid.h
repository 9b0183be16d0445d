#pragma once
/// The factors of a sweep as a grid: which levels there are, and which cell stands at which place.

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/results/collect.h"

namespace attnlab::results {

/// One factor, or several that always change together (those of a `zip`).
struct GridFactor {
  std::vector<std::string> paths;   ///< dotted paths
  std::string name;                 ///< short, e.g. "heads" or "d_model + d_ff"
  std::vector<std::string> levels;  ///< as a person reads them, in the order of the plan
  size_t reference = 0;             ///< the baseline's level where it names one, else the first
};

/// A sweep's cells by their levels. Factors with one level are left out.
struct Grid {
  std::vector<GridFactor> factors;
  std::vector<std::vector<size_t>> levels_of;  ///< [cell][factor]: index of the level

  /// Cells that a full product of the levels would have.
  size_t full_size() const;
};

Grid lay_grid(const SweepResults& results);

/// A cell in words: "heads 4, placement pre"; the sweep's name if nothing varies.
std::string cell_label(const SweepResults& results, const Grid& grid, size_t cell);

/// The same for a column of a table: "heads · placement" is its head, "4 · pre" a cell.
std::string cells_head(const Grid& grid);
std::string cell_levels(const SweepResults& results, const Grid& grid, size_t cell);

}  // namespace attnlab::results
