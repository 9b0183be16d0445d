#pragma once
/// What both studies show of each cell of their sweep.

#include <filesystem>
#include <string>

#include "experiments/results/layout.h"
#include "experiments/results/summary.h"

namespace attnlab::studies {

/// Where the files of a run are.
std::filesystem::path run_folder(const std::filesystem::path& out, const results::CellRun& run);

/// "post, 0.003": the values of a cell's factors.
std::string cell_name(const results::Cell& cell);

/// A metric's mean over the completed runs of a cell with three digits; "-" where no run has it.
std::string short_mean(const std::string& metric, const results::CellSummary& cell);

/// A row for each cell: its factors, the main metric as mean ± sd (n), and the difference to the baseline with its t
/// interval and the p of Holm's correction.
results::TableLayout main_columns(const results::SweepSummary& summary, const std::string& title);

/// The same as JSON: `name`, `metric`, `baseline` and `cells`, each with its values by seed and the means of all other
/// numbers.
Json main_document(const results::SweepSummary& summary);

}  // namespace attnlab::studies
