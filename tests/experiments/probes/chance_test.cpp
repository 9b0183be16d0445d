#include "experiments/probes/chance.h"

#include <cmath>

#include "tests/support/catch.h"

namespace attnlab::probes {
namespace {

TEST_CASE("the unigram loss is the cross-entropy under counted frequencies") {
  // Counts with one more for each of 4 pieces: 1, 2, 3, 2 of 8.
  const std::vector<data::EncodedPair> train = {{{}, {1, 2, 2, 3}}};
  const std::vector<data::EncodedPair> held_out = {{{}, {2, 3}}, {{}, {0}}};
  const double by_hand = -(std::log(3.0 / 8) + std::log(2.0 / 8) + std::log(1.0 / 8)) / 3;
  CHECK(unigram_loss(train, held_out, 4) == Approx(by_hand));
}

}  // namespace
}  // namespace attnlab::probes
