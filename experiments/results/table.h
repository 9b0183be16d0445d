#pragma once
/// The table of a sweep in the formats of `attnlab table`, and as files in the sweep's folder.

#include <filesystem>
#include <string>

#include "experiments/results/layout.h"
#include "experiments/results/summary.h"

namespace attnlab::results {

/// Formats of `attnlab table --format`.
enum class Format { markdown, csv, json, latex };

/// `md`, `csv`, `json` or `latex`. Throws attnlab::Error for another name.
Format parse_format(const std::string& name);

/// Aligned with spaces, so that it reads well in a terminal too.
std::string render_markdown(const TableLayout& layout);

/// A `table` environment for the booktabs package.
std::string render_latex(const TableLayout& layout);

/// One line a cell, numbers in full: factors, n, mean, sd, delta, its interval and p, then the mean of every other
/// metric.
std::string render_csv(const SweepSummary& summary);

/// Everything: each cell with its factors, values by seed, comparison and runs.
std::string render_json(const SweepSummary& summary);

/// Tidy: one line for each run and metric; a run without metrics has one line, with its status.
std::string render_tidy_csv(const SweepSummary& summary);

/// Tidy: one line for each head of each run that analysed its heads (spec key `inspection.analyse`): variant, hash and
/// seed, then the columns of the run's attention/heads.csv. Empty if no run did.
std::string render_heads_csv(const std::filesystem::path& out, const SweepSummary& summary);

/// The table of `out` in a format.
std::string render_table(const std::filesystem::path& out, Format format);

/// Writes results.csv (tidy), results.json, table.md and table.tex into `out`, each atomically; heads.csv, too, where
/// runs analysed their heads. Throws attnlab::Error where a file that is not the sweep's own is in the way.
void write_results(const std::filesystem::path& out);

}  // namespace attnlab::results
