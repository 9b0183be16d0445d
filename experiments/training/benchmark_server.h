#pragma once
/// Measurements of training, asked for line by line, so that several programs can be timed in turn.

#include <iosfwd>

#include "experiments/training/timed_steps.h"

namespace attnlab::training {

/// Answers measurements asked for on a stream: writes one JSON line
/// `{"ready": true, "params", "loss", "setup_s"}` after the warm-up, then for each line `run N` one JSON line
/// `{"tok_s", "s", "loss", "peak_mib"}` about the first N batches, until `quit` or the end of the stream. Gives 0;
/// other lines are answered by `{"error"}`.
int serve(std::istream& in, std::ostream& out, const BenchmarkOptions& options);

}  // namespace attnlab::training
