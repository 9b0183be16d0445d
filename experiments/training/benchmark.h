#pragma once
/// Training throughput on this machine, beside the matrix products that a step cannot do without.

#include <cstdint>

#include "experiments/training/timed_steps.h"

namespace attnlab::training {

/// Target tokens (without padding) a second.
struct BenchmarkResult {
  double tokens_per_second = 0;     ///< median over the rounds: forward, loss, backward, update
  double slowest = 0, fastest = 0;  ///< of the rounds
  double products_per_second = 0;   ///< median of the same steps' matrix products alone, forward and backward
  double ratio = 0;                 ///< speed of the steps by that of the products beside them, median of the rounds
  double lowest_ratio = 0, highest_ratio = 0;
  double operations_per_second =
      0;            ///< multiplications and additions of those products, padding included, at tokens_per_second
  double loss = 0;  ///< of the last step, nats per token
  int64_t parameters = 0;
  double peak_mib = 0;  ///< resident memory of the process at its largest, after the warm-up
};

/// Throws attnlab::Error for an unknown size, no batches or an id outside the vocabulary.
BenchmarkResult benchmark(const BenchmarkOptions& options);

}  // namespace attnlab::training
