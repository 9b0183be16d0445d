#include "experiments/data/batches.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "experiments/data/random.h"
#include "tests/support/catch.h"

namespace attnlab::data {
namespace {

/// Pairs of the given target lengths; the source is one longer.
std::vector<EncodedPair> pairs_of(const std::vector<size_t>& lengths) {
  std::vector<EncodedPair> pairs;
  for (const size_t length : lengths) pairs.push_back({Ids(length + 1, 7), Ids(length, 8)});
  return pairs;
}

std::vector<EncodedPair> many_pairs() {
  Random random(5);
  std::vector<size_t> lengths(1000);
  for (size_t& length : lengths) length = 1 + random.below(30);
  return pairs_of(lengths);
}

std::vector<int64_t> all_rows(const BatchRows& batches) {
  std::vector<int64_t> rows;
  for (const auto& batch : batches) rows.insert(rows.end(), batch.begin(), batch.end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<int64_t> up_to(size_t count) {
  std::vector<int64_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

TEST_CASE("Scoring batches are cut at the budget, shortest first") {
  // Sorted: 2 2 3 3 5 9. With a budget of 6: {2 2}, {3 3}, {5}, and 9 alone although it is too long.
  const auto pairs = pairs_of({3, 9, 2, 5, 2, 3});
  CHECK(scoring_batches(pairs, 6) == BatchRows{{2, 4}, {0, 5}, {3}, {1}});
  CHECK(scoring_batches({}, 6).empty());
}

TEST_CASE("An epoch has every pair once, within the budget, in batches of like length") {
  const auto pairs = many_pairs();
  const BatchRows batches = epoch_batches(pairs, 100, 1, 0);
  CHECK(all_rows(batches) == up_to(pairs.size()));
  for (const auto& batch : batches) {
    size_t longest = 0;
    for (const int64_t row : batch) longest = std::max(longest, pairs[static_cast<size_t>(row)].target.size());
    CHECK(longest * batch.size() <= 100);
  }
  CHECK(padding_share(pairs, batches).target < 0.05);
}

TEST_CASE("The order comes from seed and epoch alone") {
  const auto pairs = many_pairs();
  CHECK(epoch_batches(pairs, 100, 1, 3) == epoch_batches(pairs, 100, 1, 3));
  std::set<BatchRows> different;
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 31, uint64_t{1} << 63})
    for (uint64_t epoch = 0; epoch < 3; ++epoch) different.insert(epoch_batches(pairs, 100, seed, epoch));
  CHECK(different.size() == 12);
}

TEST_CASE("Batches of an epoch come in no order of length") {
  const auto pairs = many_pairs();
  const BatchRows batches = epoch_batches(pairs, 100, 1, 0);
  size_t rises = 0;
  for (size_t i = 0; i + 1 < batches.size(); ++i)
    rises += pairs[static_cast<size_t>(batches[i][0])].target.size() <=
             pairs[static_cast<size_t>(batches[i + 1][0])].target.size();
  CHECK(rises > batches.size() / 3);
  CHECK(rises < batches.size() * 2 / 3 + 2);
}

TEST_CASE("A batch is padded on the right, and the decoder's input is the target moved by one") {
  const std::vector<EncodedPair> pairs = {{{5, 6, 3}, {7, 3}}, {{8, 3}, {9, 10, 11, 3}}, {{3}, {3}}};
  const Batch batch = make_batch(pairs, {0, 1, 2}, /*pad=*/0, /*bos=*/2);
  CHECK(batch.rows == 3);
  CHECK(batch.source_width == 3);
  CHECK(batch.target_width == 4);
  CHECK(batch.source == std::vector<int64_t>{5, 6, 3, 8, 3, 0, 3, 0, 0});
  CHECK(batch.target_input == std::vector<int64_t>{2, 7, 0, 0, 2, 9, 10, 11, 2, 0, 0, 0});
  CHECK(batch.target_output == std::vector<int64_t>{7, 3, 0, 0, 9, 10, 11, 3, 3, 0, 0, 0});
  CHECK(batch.source_lengths == std::vector<int64_t>{3, 2, 1});
  CHECK(batch.target_lengths == std::vector<int64_t>{2, 4, 1});
  CHECK(batch.source_tokens == 6);
  CHECK(batch.target_tokens == 7);
}

TEST_CASE("The share of padding is counted over whole batches") {
  // Targets 2 and 4 in one batch: 6 of 8; sources 3 and 5: 8 of 10.
  const PaddingShare share = padding_share(pairs_of({2, 4}), {{0, 1}});
  CHECK(share.target == Approx(0.25));
  CHECK(share.source == Approx(0.2));
  CHECK(padding_share({}, {}).target == 0);
}

// The first numbers of SplitMix64 with the state 1234567, as Vigna's splitmix64.c gives them.
TEST_CASE("The random numbers are those of SplitMix64") {
  uint64_t state = 1234567;
  std::vector<uint64_t> numbers;
  for (int i = 0; i < 3; ++i) numbers.push_back(Random::mix(state += 0x9E3779B97F4A7C15));
  CHECK(numbers == std::vector<uint64_t>{6457827717110365317U, 3203168211198807973U, 9817491932198370423U});
}

TEST_CASE("Choices are even and stay inside") {
  Random random(0);
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70'000; ++i) ++counts.at(random.below(7));
  // Chi-square with 6 degrees of freedom: 22.46 is passed once in a thousand.
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  CHECK(chi_square < 22.46);
}

}  // namespace attnlab::data
