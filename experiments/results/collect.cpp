#include "experiments/results/collect.h"

#include <algorithm>
#include <cmath>

namespace attnlab::results {
namespace {

void add_factor_names(const Json& factors, std::vector<std::string>& names) {
  for (const auto& [path, value] : factors.items())
    if (std::find(names.begin(), names.end(), path) == names.end()) names.push_back(path);
}

Cell& cell_of(const sweep::ManifestRun& run, std::vector<Cell>& cells) {
  for (auto& cell : cells)
    if (cell.hash == run.hash && cell.variant == run.variant) return cell;
  cells.push_back({run.variant, run.hash, run.factors, run.published, {}});
  return cells.back();
}

}  // namespace

SweepResults collect(const std::filesystem::path& out) {
  const auto manifest = sweep::read_manifest(out);
  SweepResults results{
      manifest.name, manifest.metric, manifest.goal, manifest.baseline, manifest.published_source, {}, {}};
  for (const auto& run : manifest.runs) {
    if (!run.current) continue;
    add_factor_names(run.factors, results.factors);
    cell_of(run, results.cells).runs.push_back({run.seed, run.folder, sweep::look_at_record(out, run)});
  }
  return results;
}

std::map<std::string, double> run_metrics(const run_folder::RunRecord& record) {
  auto metrics = record.metrics;
  if (record.parameters > 0) metrics["parameters"] = static_cast<double>(record.parameters);
  if (record.seconds > 0) metrics["minutes"] = record.seconds / 60;
  return metrics;
}

std::map<int64_t, double> values_by_seed(const Cell& cell, const std::string& metric, Infinite infinite) {
  std::map<int64_t, double> values;
  for (const auto& run : cell.runs) {
    if (run.record.status != run_folder::Status::completed) continue;
    const auto metrics = run_metrics(run.record);
    const auto found = metrics.find(metric);
    if (found == metrics.end() || std::isnan(found->second)) continue;
    if (infinite == Infinite::kept || std::isfinite(found->second)) values[run.seed] = found->second;
  }
  return values;
}

}  // namespace attnlab::results
