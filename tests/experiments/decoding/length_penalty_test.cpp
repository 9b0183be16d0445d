#include "experiments/decoding/length_penalty.h"

#include <cmath>

#include "support/error.h"
#include "tests/support/catch.h"

using attnlab::decoding::LengthPenalty;

TEST_CASE("Length penalties have the values of their formulas") {
  CHECK(LengthPenalty::named("gnmt", 0.6).score(-6, 7) == Approx(-6 / 1.515716567));  // 2^0.6
  CHECK(LengthPenalty::named("gnmt", 0.6).score(-6, 1) == Approx(-6));                // ((5 + 1) / 6)^0.6
  CHECK(LengthPenalty::named("average", 1).score(-6, 4) == Approx(-1.5));
  CHECK(LengthPenalty::named("average", 0.5).score(-6, 4) == Approx(-3));
  CHECK(LengthPenalty::named("none", 0.6).score(-6, 4) == -6);
  CHECK(LengthPenalty::named("gnmt", 0).score(-6, 9) == -6);
}

TEST_CASE("The bound is the score of the same log-probability at the kinder end of the lengths") {
  CHECK(LengthPenalty::named("average", 1).bound(-6, 2, 12) == Approx(-0.5));
  CHECK(LengthPenalty::named("average", -1).bound(-6, 2, 12) == Approx(-12));
}

TEST_CASE("Unknown penalties and alphas are refused by name") {
  CHECK_THROWS_AS(LengthPenalty::named("wu", 1), attnlab::Error);
  CHECK_THROWS_WITH(LengthPenalty::named("wu", 1), "decoding.length_penalty is 'wu'; it must be gnmt, average or none");
  CHECK_THROWS_AS(LengthPenalty::named("gnmt", NAN), attnlab::Error);
}
