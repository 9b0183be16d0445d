#include "experiments/results/difference_range.h"

#include <algorithm>

namespace attnlab::results {

page::Range with_intervals(const page::Range& means, const std::vector<PairedDifference>& differences, double reach) {
  page::Range range = means;
  for (const PairedDifference& difference : differences) {
    if (!difference.low) continue;
    range.add(std::max(*difference.low, means.low - reach));
    range.add(std::min(*difference.high, means.high + reach));
  }
  return range;
}

}  // namespace attnlab::results
