#include "experiments/data/pairs.h"

#include "experiments/data/batches.h"
#include "tests/support/catch.h"

namespace attnlab::data {
namespace {

Ids ids_of(std::span<const int32_t> ids) {
  return {ids.begin(), ids.end()};
}

}  // namespace

TEST_CASE("Pairs in a vector and in one row of ids look the same") {
  const std::vector<EncodedPair> vector = {{{5, 3}, {6, 7, 3}}, {{}, {3}}, {{8, 9, 3}, {}}};
  const std::vector<int32_t> row = {5, 3, 6, 7, 3, 3, 8, 9, 3};
  const std::vector<uint64_t> ends = {2, 5, 5, 6, 9, 9};
  for (const Pairs& pairs : {Pairs(vector), Pairs(row.data(), ends.data(), 3)}) {
    REQUIRE(pairs.size() == 3);
    for (size_t i = 0; i < 3; ++i) {
      CHECK(ids_of(pairs[i].source) == vector[i].source);
      CHECK(ids_of(pairs[i].target) == vector[i].target);
      CHECK(pairs.copy()[i].target == vector[i].target);
    }
    size_t seen = 0;
    for (const PairView pair : pairs) CHECK(ids_of(pair.source) == vector[seen++].source);
    CHECK(seen == 3);
    CHECK(pairs.first(2).size() == 2);
    CHECK(ids_of(pairs.first(2)[1].target) == Ids{3});
    CHECK(pairs.first(9).size() == 3);
  }
  CHECK(Pairs().empty());
  CHECK(Pairs().copy().empty());
}

TEST_CASE("Batches of a row of ids are those of the vector") {
  std::vector<EncodedPair> vector;
  std::vector<int32_t> row;
  std::vector<uint64_t> ends;
  for (size_t i = 0; i < 500; ++i) {
    vector.push_back({Ids(1 + i * 7 % 25, static_cast<int32_t>(i)), Ids(1 + i * 11 % 27, static_cast<int32_t>(i + 1))});
    for (const Ids* ids : {&vector.back().source, &vector.back().target}) {
      row.insert(row.end(), ids->begin(), ids->end());
      ends.push_back(row.size());
    }
  }
  const Pairs flat(row.data(), ends.data(), vector.size());
  const BatchRows batches = epoch_batches(flat, 100, 7, 3);
  CHECK(batches == epoch_batches(vector, 100, 7, 3));
  CHECK(scoring_batches(flat, 100) == scoring_batches(vector, 100));
  for (const auto& rows : batches) {
    const Batch one = make_batch(flat, rows, 0, 2), other = make_batch(vector, rows, 0, 2);
    CHECK(one.source == other.source);
    CHECK(one.target_input == other.target_input);
    CHECK(one.target_output == other.target_output);
    CHECK(one.target_lengths == other.target_lengths);
  }
}

}  // namespace attnlab::data
