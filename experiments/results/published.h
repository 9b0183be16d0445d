#pragma once
/// The numbers that a paper printed, beside those that were measured: does each change point the same way?

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/results/compare.h"

namespace attnlab::results {

/// What our interval says of the direction that was published.
enum class Direction {
  none,      ///< nothing to compare: the baseline, no partner, or no published difference
  open,      ///< our 95 % t interval holds zero, or there are fewer than `kFewestPairs` seeds
  same,      ///< our interval excludes zero on the published side
  opposite,  ///< our interval excludes zero on the other side
  no_change  ///< our interval excludes zero, and the paper printed the baseline's number
};

/// A cell that a paper has a number for.
struct PublishedCell {
  size_t cell = 0;
  double published = 0;
  std::optional<double> published_delta;  ///< to the partner's published number
  Comparison ours;                        ///< of the same metric
  Direction direction = Direction::none;
};

/// All published numbers of one metric.
struct PublishedMetric {
  std::string metric;
  std::vector<PublishedCell> cells;  ///< in the order of the plan
  int decimals = 0;                  ///< as many as the numbers were printed with
  size_t count(Direction direction) const;
  /// A number of this metric with its decimals: "25.8", "5.00".
  std::string text(double value) const;
};

/// The main metric first, then the others by name. Empty if the spec has no `published`.
std::vector<PublishedMetric> beside_published(const SweepResults& results);

/// "same direction in 3 of the 4 differences whose interval excludes zero; 5 are open".
std::string agreement_text(const PublishedMetric& published);

/// "same", "opposite", "open", "no change in print" or "".
std::string to_string(Direction direction);

}  // namespace attnlab::results
