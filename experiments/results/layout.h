#pragma once
/// The table as texts in rows and columns, before any format is chosen.

#include <optional>
#include <string>
#include <vector>

#include "experiments/results/summary.h"
#include "support/json.h"

namespace attnlab::results {

enum class Align { left, right };

struct Column {
  std::string header;
  Align align = Align::left;
};

struct TableRow {
  std::vector<std::string> texts;              ///< one for each column
  std::vector<std::optional<double>> numbers;  ///< what a column sorts by; nothing: its text
  int bold = -1;                               ///< the column to print in bold; -1: none

  void add(const std::string& text, std::optional<double> number);
};

/// Columns: the factors, the main metric as mean ± sd (n), Δ to the baseline, the published number, the other metrics
/// that some cell has, remarks.
struct TableLayout {
  std::string title;
  std::vector<Column> columns;
  std::vector<TableRow> rows;
  std::vector<std::string> legend;       ///< what the signs mean, one sentence an item
  std::vector<std::string> conventions;  ///< sacreBLEU signatures and what else has to be named
};

TableLayout lay_out(const SweepSummary& summary);

/// What a column of differences sorts by: the mean difference, 0 for the baseline itself, nothing without a comparison.
std::optional<double> delta_of(const Comparison& comparison);

/// "BLEU" for "test.bleu", "tokens/s" for "train.tokens_per_second"; others as they are.
std::string metric_label(const std::string& metric);

/// A number with the digits that suit the metric: "94.12", "1,234,567"; huge ones as `number_text` has them. What
/// probes measure, which spec/metrics.h does not list, has the digits of what its name ends in.
std::string format_metric(const std::string& metric, double value);

}  // namespace attnlab::results
