#include "experiments/training/schedule.h"

#include "support/error.h"
#include "tests/support/catch.h"

namespace attnlab::training {
namespace {

spec::ScheduleConfig schedule(const std::string& type, int64_t warmup) {
  spec::ScheduleConfig config;
  config.type = type;
  config.warmup = warmup;
  config.peak = 0.01;
  config.final_rate = 0.002;
  return config;
}

TEST_CASE("The paper's schedule has the paper's numbers", "[schedule]") {
  const auto noam = schedule("noam", 4000);
  CHECK(learning_rate(1, 512, noam, 100000) == Approx(1.746928e-07).epsilon(1e-6));
  CHECK(learning_rate(4000, 512, noam, 100000) == Approx(6.987712e-04).epsilon(1e-6));
  CHECK(learning_rate(16000, 512, noam, 100000) == Approx(6.987712e-04 / 2).epsilon(1e-6));
  auto doubled = noam;
  doubled.factor = 2;
  CHECK(learning_rate(4000, 512, doubled, 100000) == Approx(2 * 6.987712e-04).epsilon(1e-6));
}

TEST_CASE("The other schedules, by hand", "[schedule]") {
  for (const char* type : {"inverse_sqrt", "constant", "linear", "cosine"}) {
    CHECK(learning_rate(1, 64, schedule(type, 10), 110) == Approx(0.001));
    CHECK(learning_rate(10, 64, schedule(type, 10), 110) == Approx(0.01));
  }
  CHECK(learning_rate(40, 64, schedule("inverse_sqrt", 10), 110) == Approx(0.005));
  CHECK(learning_rate(110, 64, schedule("constant", 10), 110) == Approx(0.01));
  CHECK(learning_rate(60, 64, schedule("linear", 10), 110) == Approx(0.006));
  CHECK(learning_rate(110, 64, schedule("linear", 10), 110) == Approx(0.002));
  CHECK(learning_rate(35, 64, schedule("cosine", 10), 110) == Approx(0.002 + 0.008 * 0.5 * (1 + 0.70710678)));
  CHECK(learning_rate(110, 64, schedule("cosine", 10), 110) == Approx(0.002));
}

TEST_CASE("Warm-up 0 is defined", "[schedule]") {
  for (const char* type : {"inverse_sqrt", "constant", "linear", "cosine"}) {
    CHECK(learning_rate(1, 64, schedule(type, 0), 100) == Approx(0.01));
  }
  CHECK(learning_rate(1, 64, schedule("noam", 0), 100) == Approx(0.125));
  CHECK(learning_rate(4, 64, schedule("noam", 0), 100) == Approx(0.0625));
  // A warm-up longer than the training never reaches the peak, and nothing divides by zero.
  CHECK(learning_rate(5, 64, schedule("linear", 10), 5) == Approx(0.005));
  CHECK(learning_rate(10, 64, schedule("cosine", 10), 10) == Approx(0.01));
}

TEST_CASE("An unknown schedule is refused", "[schedule]") {
  CHECK_THROWS_AS(learning_rate(1, 64, schedule("step", 0), 10), Error);
}

}  // namespace
}  // namespace attnlab::training
