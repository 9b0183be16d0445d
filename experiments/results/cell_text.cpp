#include "experiments/results/cell_text.h"

#include <fmt/format.h>

#include "experiments/results/layout.h"
#include "experiments/spec/plan.h"

namespace attnlab::results {

std::optional<double> mean_of(const std::string& metric, const CellSummary& cell) {
  const auto found = cell.metrics.find(metric);
  return found == cell.metrics.end() ? std::nullopt : std::optional(found->second.mean);
}

std::string main_text(const std::string& metric, const CellSummary& cell) {
  const auto found = cell.metrics.find(metric);
  if (found == cell.metrics.end()) return "-";
  const auto& values = found->second;
  std::string text = format_metric(metric, values.mean);
  if (values.sd) text += " ± " + format_metric(metric, *values.sd);
  return text + fmt::format(" ({})", values.by_seed.size());
}

std::string baseline_text(const Json& baseline) {
  std::string text;
  for (const auto& [path, value] : baseline.items())
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", path, spec::factor_text(value));
  return text;
}

}  // namespace attnlab::results
