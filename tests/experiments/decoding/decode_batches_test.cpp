#include "experiments/decoding/decode_batches.h"

#include <atomic>
#include <stdexcept>

#include "experiments/decoding/workers.h"
#include "tests/support/catch.h"

using namespace attnlab::decoding;
using Batches = std::vector<std::vector<int64_t>>;

TEST_CASE("Batches hold sentences of like length, longest first, ties in order") {
  CHECK(decode_batches({3, 7, 3, 9, 3}, 2) == Batches{{3, 1}, {0, 2}, {4}});
  CHECK(decode_batches({}, 4).empty());
}

TEST_CASE("A very long sentence does not widen a batch") {
  CHECK(decode_batches({5, 5000, 5, 5}, 3) == Batches{{1}, {0, 2, 3}});
  CHECK(decode_batches({5, 200, 5, 5}, 3) == Batches{{1}, {0, 2, 3}});  // 3 * 128 = 384 holds one of 200
}

TEST_CASE("Token batches keep rows times longest within the budget") {
  CHECK(token_batches({4, 4, 4, 10, 2}, 10) == Batches{{3}, {0, 1}, {2, 4}});
  CHECK(token_batches({50, 1}, 10) == Batches{{0}, {1}});
}

TEST_CASE("Every batch is worked on once and exceptions come through") {
  for (const Spread spread : {Spread::over_batches, Spread::over_operators}) {
    std::vector<std::atomic<int>> seen(37);
    for_each_batch(37, spread, [&](int64_t i) { ++seen[static_cast<size_t>(i)]; });
    for (const auto& count : seen) CHECK(count == 1);
    CHECK_THROWS_AS(for_each_batch(5, spread,
                                   [](int64_t i) {
                                     if (i == 3) throw std::runtime_error("three");
                                   }),
                    std::runtime_error);
  }
}
