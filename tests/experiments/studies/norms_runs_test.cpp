#include "experiments/studies/norms_runs.h"

#include <cmath>

#include "tests/support/catch.h"

namespace attnlab::studies {
namespace {

using run_folder::Status;

TEST_CASE("a training diverges, is stuck, or trains") {
  const double nan = std::nan("");
  const std::vector<std::pair<int64_t, double>> low = {{10, 2.0}, {20, 1.0}}, high = {{10, 2.0}, {20, nan}};
  CHECK(ending_of(Status::diverged, low, 2) == Ending::diverged);
  CHECK(ending_of(Status::completed, low, 2) == Ending::trains);
  CHECK(ending_of(Status::completed, high, 2) == Ending::stuck);
  CHECK(ending_of(Status::completed, {{10, 1.6}}, 2) == Ending::stuck);
  CHECK(ending_of(Status::completed, high, nan) == Ending::trains);
  CHECK(ending_of(Status::failed, low, 2) == Ending::pending);
  CHECK(ending_of(Status::queued, {}, 2) == Ending::pending);
}

}  // namespace
}  // namespace attnlab::studies
