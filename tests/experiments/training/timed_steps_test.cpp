#include "experiments/training/timed_steps.h"

#include <set>

#include "tests/support/catch.h"

namespace attnlab::training {

TEST_CASE("Synthetic batches have the shapes of an epoch of training: nearly each has its own", "[timed_steps]") {
  const auto batches = synthetic_batches(/*count=*/20, /*vocab=*/100, /*seed=*/3, /*tokens=*/512);
  REQUIRE(batches.size() == 20);
  std::set<int64_t> sources, targets, widths;
  for (const data::Batch& batch : batches) {
    CHECK(batch.rows * batch.target_width <= 512);
    CHECK(batch.target_tokens > 400);
    sources.insert(batch.source_tokens);
    targets.insert(batch.target_tokens);
    widths.insert(batch.target_width);
    for (const auto* ids : {&batch.source, &batch.target_input, &batch.target_output}) {
      for (const int64_t id : *ids) {
        CHECK((id >= 1 && id < 100));
      }
    }
  }
  CHECK(sources.size() > 15);
  CHECK(targets.size() > 10);
  CHECK(widths.size() > 5);
  const auto again = synthetic_batches(20, 100, 3, 512);
  CHECK(again.back().source == batches.back().source);
  CHECK(synthetic_batches(20, 100, 4, 512).back().source != batches.back().source);
  CHECK_THROWS_WITH(synthetic_batches(1, 100, 1, 27), "a batch of 27 tokens has no room for a sentence of 28");
}

TEST_CASE("A benchmark's rounds and its warm-up need batches of their own", "[timed_steps]") {
  BenchmarkOptions options;
  options.warm_up = 2;
  options.rounds = 3;
  options.steps_per_round = 4;
  CHECK(options.batches_needed() == 14);
}

}  // namespace attnlab::training
