#include "experiments/results/summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace attnlab::results {
namespace {

MetricSummary summarize_metric(std::map<int64_t, double> by_seed) {
  std::vector<double> values;
  for (const auto& [seed, value] : by_seed) values.push_back(value);
  const double center = mean(values);
  return {std::move(by_seed), center, std::isfinite(center) ? sample_sd(values) : std::nullopt};
}

std::map<std::string, MetricSummary> summarize_metrics(const Cell& cell) {
  std::set<std::string> names;
  for (const auto& run : cell.runs)
    for (const auto& [name, value] : run_metrics(run.record)) names.insert(name);
  std::map<std::string, MetricSummary> metrics;
  for (const auto& name : names)
    if (auto values = values_by_seed(cell, name, Infinite::kept); !values.empty())
      metrics[name] = summarize_metric(std::move(values));
  return metrics;
}

/// What a reader must know of runs that add nothing to the numbers.
std::vector<std::string> remarks_on(const Cell& cell) {
  std::vector<std::string> remarks;
  for (const auto& run : cell.runs) {
    if (run.record.status == run_folder::Status::completed) continue;
    const auto& error = run.record.error;
    const auto state =
        run.record.status == run_folder::Status::queued ? "not started" : run_folder::to_string(run.record.status);
    remarks.push_back(
        fmt::format("seed {} {}{}", run.seed, state, error.empty() ? "" : ": " + error.substr(0, error.find('\n'))));
  }
  return remarks;
}

void mark_best(const SweepResults& results, std::vector<CellSummary>& cells) {
  std::optional<double> best;
  for (const auto& cell : cells) {
    const auto found = cell.metrics.find(results.metric);
    if (found == cell.metrics.end() || !std::isfinite(found->second.mean)) continue;
    const double value = found->second.mean;
    if (!best || (results.goal == sweep::Goal::maximize ? value > *best : value < *best)) best = value;
  }
  for (auto& cell : cells) {
    const auto found = cell.metrics.find(results.metric);
    cell.best = cells.size() > 1 && best && found != cell.metrics.end() && found->second.mean == *best;
  }
}

}  // namespace

SweepSummary summarize(SweepResults results) {
  SweepSummary summary;
  const auto comparisons = compare_to_baseline(results, results.metric);
  for (size_t i = 0; i < results.cells.size(); ++i) {
    const auto& cell = results.cells[i];
    summary.cells.push_back({summarize_metrics(cell), comparisons[i], false, remarks_on(cell)});
    for (const auto& run : cell.runs) {
      for (const auto& [metric, signature] : run.record.signatures) summary.signatures[metric].insert(signature);
      for (const auto& [name, note] : run.record.notes) summary.notes[name].insert(note);
    }
  }
  mark_best(results, summary.cells);
  summary.published = beside_published(results);
  summary.results = std::move(results);
  return summary;
}

}  // namespace attnlab::results
