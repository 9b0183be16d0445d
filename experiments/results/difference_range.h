#pragma once
/// How far an axis of differences reaches.

#include <vector>

#include "experiments/page/plot.h"
#include "experiments/results/statistics.h"

namespace attnlab::results {

/// `means` and the intervals of `differences`, these only so far as they are at most `reach` outside: intervals of few
/// seeds can be hundreds of times as wide as the differences, and then leave the frame.
page::Range with_intervals(const page::Range& means, const std::vector<PairedDifference>& differences, double reach);

}  // namespace attnlab::results
