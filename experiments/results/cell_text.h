#pragma once
/// What tables say of a cell.

#include <optional>
#include <string>

#include "experiments/results/summary.h"

namespace attnlab::results {

/// A metric's mean over the completed runs of a cell; nothing where no run has it.
std::optional<double> mean_of(const std::string& metric, const CellSummary& cell);

/// "94.12 ± 0.31 (3)": mean, standard deviation and number of seeds; without ± for one seed, "-" where no run has it.
std::string main_text(const std::string& metric, const CellSummary& cell);

/// "model.heads = 4, model.norm.type = rms_norm": what all cells are compared with.
std::string baseline_text(const Json& baseline);

}  // namespace attnlab::results
