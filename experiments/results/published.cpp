#include "experiments/results/published.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace attnlab::results {
namespace {

/// Printed numbers have few digits: 25.8 - 25.8 must be no difference, and 25.8 - 25.7 one.
constexpr double kNoChange = 1e-9;

/// Decimals that a number from JSON needs, at most 6: 3 for 5.125.
int decimals_of(double value) {
  int decimals = 0;
  for (double scaled = std::abs(value); decimals < 6 && std::abs(scaled - std::round(scaled)) > 1e-6; scaled *= 10)
    ++decimals;
  return decimals;
}

std::vector<std::string> published_metrics(const SweepResults& results) {
  std::set<std::string> names;
  for (const auto& cell : results.cells)
    for (const auto& [metric, value] : cell.published) names.insert(metric);
  std::vector<std::string> metrics;
  if (names.erase(results.metric) > 0) metrics.push_back(results.metric);
  metrics.insert(metrics.end(), names.begin(), names.end());
  return metrics;
}

bool excludes_zero(const PairedDifference& difference) {
  return difference.n >= kFewestPairs && difference.low && (*difference.low > 0 || *difference.high < 0);
}

Direction direction_of(const PublishedCell& cell) {
  if (cell.ours.kind != Comparison::Kind::delta || !cell.published_delta) return Direction::none;
  if (!excludes_zero(cell.ours.difference)) return Direction::open;
  if (std::abs(*cell.published_delta) < kNoChange) return Direction::no_change;
  return (*cell.published_delta > 0) == (cell.ours.difference.mean > 0) ? Direction::same : Direction::opposite;
}

PublishedMetric beside(const SweepResults& results, const std::string& metric) {
  const auto comparisons = compare_to_baseline(results, metric);
  PublishedMetric all{metric, {}, 0};
  for (size_t i = 0; i < results.cells.size(); ++i) {
    const auto found = results.cells[i].published.find(metric);
    if (found == results.cells[i].published.end()) continue;
    PublishedCell cell{i, found->second, std::nullopt, comparisons[i]};
    if (cell.ours.kind == Comparison::Kind::delta) {
      const auto& partner = results.cells[cell.ours.partner].published;
      if (const auto base = partner.find(metric); base != partner.end())
        cell.published_delta = cell.published - base->second;
    }
    cell.direction = direction_of(cell);
    all.decimals = std::max(all.decimals, decimals_of(cell.published));
    all.cells.push_back(cell);
  }
  return all;
}

}  // namespace

size_t PublishedMetric::count(Direction direction) const {
  return static_cast<size_t>(std::count_if(cells.begin(), cells.end(),
                                           [&](const PublishedCell& cell) { return cell.direction == direction; }));
}

std::string PublishedMetric::text(double value) const {
  const double scale = std::pow(10.0, decimals);
  return fmt::format("{:.{}f}", std::round(value * scale) / scale + 0.0, decimals);  // + 0.0: no "-0.0"
}

std::vector<PublishedMetric> beside_published(const SweepResults& results) {
  std::vector<PublishedMetric> all;
  for (const auto& metric : published_metrics(results)) all.push_back(beside(results, metric));
  return all;
}

std::string agreement_text(const PublishedMetric& published) {
  const size_t same = published.count(Direction::same), opposite = published.count(Direction::opposite);
  const size_t open = published.count(Direction::open), no_change = published.count(Direction::no_change);
  std::string text = same + opposite == 0
                         ? "no published change has an interval here that excludes zero"
                         : fmt::format(
                               "same direction as published in {} of the {} differences whose 95 % t interval "
                               "excludes zero",
                               same, same + opposite);
  if (no_change > 0)
    text += fmt::format("; {} more {} here but not in print", no_change, no_change == 1 ? "differs" : "differ");
  if (open > 0)
    text += fmt::format("; {} {} open: zero lies in the interval, or there are fewer than {} seeds", open,
                        open == 1 ? "is" : "are", kFewestPairs);
  return text;
}

std::string to_string(Direction direction) {
  switch (direction) {
    case Direction::none:
      return "";
    case Direction::open:
      return "open";
    case Direction::same:
      return "same";
    case Direction::opposite:
      return "opposite";
    case Direction::no_change:
      return "no change in print";
  }
  return "";
}

}  // namespace attnlab::results
