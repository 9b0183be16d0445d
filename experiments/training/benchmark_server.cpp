#include "experiments/training/benchmark_server.h"

#include <cmath>

#include "support/clock.h"
#include "support/json.h"
#include "support/run_server.h"

namespace attnlab::training {
namespace {

double rounded(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  return std::round(value * scale) / scale;
}

Json measurement(TimedSteps& worker, int64_t count) {
  const double seconds = worker.time(0, count);
  return {{"tok_s", rounded(static_cast<double>(worker.tokens(0, count)) / seconds, 1)},
          {"s", rounded(seconds, 3)},
          {"loss", rounded(worker.loss(), 3)},
          {"peak_mib", std::round(peak_mib())}};
}

}  // namespace

int serve(std::istream& in, std::ostream& out, const BenchmarkOptions& options) {
  const auto start = Clock::now();
  TimedSteps worker(options);
  const Json ready = {{"ready", true},
                      {"params", worker.parameters()},
                      {"loss", rounded(worker.loss(), 3)},
                      {"setup_s", rounded(seconds_since(start), 1)}};
  serve_runs(in, out, ready, [&](int64_t count) { return measurement(worker, count); });
  return 0;
}

}  // namespace attnlab::training
