#include "experiments/decoding/beam_search.h"

#include <limits>
#include <set>

#include "experiments/decoding/greedy.h"
#include "experiments/decoding/sampling.h"
#include "tests/experiments/decoding/toy_models.h"
#include "tests/support/catch.h"

using namespace attnlab::decoding;
using namespace attnlab::decoding::test;

namespace {

constexpr int32_t kEos = 3;

SearchOptions options_with(int64_t beam, int64_t n_best, LengthPenalty penalty) {
  SearchOptions options;
  options.beam = beam;
  options.n_best = n_best;
  options.penalty = penalty;
  options.eos = kEos;
  return options;
}

/// A scrambled model that ends sooner or later.
Logits ending(uint64_t seed) {
  return [=](int64_t sentence, const Ids& prefix) {
    std::vector<float> logits = scrambled(7, seed)(sentence, prefix);
    logits[kEos] += static_cast<float>(prefix.size());
    return logits;
  };
}

LengthPenalty average(double alpha) {
  return {LengthPenalty::Rule::average, alpha};
}

std::vector<Hypothesis> search_one(const Logits& logits, int64_t limit, const SearchOptions& options) {
  PrefixModel model(1, logits);
  return beam_search(model, {limit}, options).front();
}

/// Hypothesis A is eos at once, log p -1.0; B is 0 1 2 eos, log p -1.2; the rest is spread so thinly that it never
/// matters.
std::vector<float> two_ways(int64_t, const Ids& prefix) {
  const auto with = [](int32_t first, double p, int32_t second, double q) {
    std::vector<float> logits(4, static_cast<float>(std::log((1 - p - q) / 2)));
    logits[static_cast<size_t>(first)] = static_cast<float>(std::log(p));
    logits[static_cast<size_t>(second)] = static_cast<float>(std::log(q));
    return logits;
  };
  const double step = std::exp(-0.2 / 3);  // after a first token of log p -1.0
  if (prefix.empty()) return with(kEos, std::exp(-1.0), 0, std::exp(-1.0) * (1 - 1e-6));
  if (prefix == Ids{0}) return with(1, step, kEos, 1e-6);
  if (prefix == Ids{0, 1}) return with(2, step, kEos, 1e-6);
  return with(kEos, step, 0, 1e-6);
}

}  // namespace

TEST_CASE("A longer hypothesis wins or loses by the length penalty, not by when it ends") {
  for (const int64_t beam : {2, 4, 5}) {
    CHECK(search_one(two_ways, 10, options_with(beam, 1, average(0))).front().ids == Ids{});
    const Hypothesis best = search_one(two_ways, 10, options_with(beam, 1, average(1))).front();
    CHECK(best.ids == Ids{0, 1, 2});
    CHECK(best.log_probability == Approx(-1.2).epsilon(1e-4));
    CHECK(best.score == Approx(-0.3).epsilon(1e-4));
    CHECK(best.finished);
  }
}

TEST_CASE("A wide beam finds exactly what brute force finds") {
  const std::vector<LengthPenalty> penalties{{LengthPenalty::Rule::none, 0},
                                             {LengthPenalty::Rule::gnmt, 0.6},
                                             {LengthPenalty::Rule::gnmt, 2},
                                             {LengthPenalty::Rule::average, 0.5},
                                             average(1),
                                             average(-1)};
  for (uint64_t seed = 0; seed < 4; ++seed) {
    for (const LengthPenalty& penalty : penalties) {
      for (int64_t min_length = 0; min_length <= 3; ++min_length) {
        for (const int64_t n_best : {1, 5, 256}) {
          SearchOptions options = options_with(256, n_best, penalty);
          options.min_length = min_length;
          std::vector<Hypothesis> expected = brute_force(scrambled(4, seed), 0, 4, options);
          if (static_cast<int64_t>(expected.size()) > n_best) expected.resize(static_cast<size_t>(n_best));
          const std::vector<Hypothesis> found = search_one(scrambled(4, seed), 4, options);
          REQUIRE(found.size() == expected.size());
          for (size_t i = 0; i < found.size(); ++i) {
            REQUIRE(found[i].ids == expected[i].ids);
            REQUIRE(found[i].finished == expected[i].finished);
            REQUIRE(found[i].log_probability == Approx(expected[i].log_probability).epsilon(1e-6));
            REQUIRE(found[i].score == Approx(expected[i].score).epsilon(1e-6));
          }
        }
      }
    }
  }
}

TEST_CASE("A banned token is in no hypothesis, and the others keep their log-probabilities") {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    for (const Ids& banned : {Ids{0}, Ids{2, 0}, Ids{2, 0, 1}, Ids{-1, 99}}) {
      for (const int64_t min_length : {0, 2}) {
        SearchOptions options = options_with(128, 128, average(1));
        options.min_length = min_length;
        options.banned = banned;
        const std::vector<Hypothesis> expected = brute_force(scrambled(5, seed), 0, 3, options),
                                      found = search_one(scrambled(5, seed), 3, options);
        REQUIRE(found.size() == expected.size());
        for (size_t i = 0; i < found.size(); ++i) {
          REQUIRE(found[i].ids == expected[i].ids);
          REQUIRE(found[i].log_probability == Approx(expected[i].log_probability).epsilon(1e-6));
        }
      }
    }
  }
}

TEST_CASE("Where nothing may follow, the search ends with what there is") {
  SearchOptions options = options_with(3, 3, average(1));
  options.banned = {0, 1, 2};
  options.min_length = 4;
  const Logits flat = [](int64_t, const Ids&) { return std::vector<float>(4, 0.0F); };
  const std::vector<Hypothesis> list = search_one(flat, 9, options);
  REQUIRE(list.size() == 1);
  CHECK(list[0].ids == Ids{});
  CHECK_FALSE(list[0].finished);
  PrefixModel for_greedy(1, flat), for_samples(1, flat);
  CHECK(greedy_search(for_greedy, {9}, options)[0][0].ids == Ids{});
  CHECK(sample(for_samples, {9}, {0}, options, {})[0][2].ids == Ids{});
  options.min_length = 0;  // then the end mark is left
  const std::vector<Hypothesis> ended = search_one(flat, 9, options);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].finished);
  CHECK(ended[0].log_probability == Approx(-std::log(4.0)));
}

TEST_CASE("The n-best list is distinct, sorted, without end marks, and begins with the best one") {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<Hypothesis> list = search_one(ending(seed), 30, options_with(5, 5, average(1)));
    REQUIRE(list.size() == 5);
    std::set<Ids> distinct;
    for (size_t i = 0; i < list.size(); ++i) {
      distinct.insert(list[i].ids);
      CHECK(std::count(list[i].ids.begin(), list[i].ids.end(), kEos) == 0);
      CHECK(list[i].finished);
      if (i > 0) CHECK(list[i].score <= list[i - 1].score);
    }
    CHECK(distinct.size() == 5);
    for (const int64_t n_best : {1, 2, 4}) {
      const std::vector<Hypothesis> shorter = search_one(ending(seed), 30, options_with(5, n_best, average(1)));
      REQUIRE(static_cast<int64_t>(shorter.size()) == n_best);
      for (size_t i = 0; i < shorter.size(); ++i) CHECK(shorter[i].ids == list[i].ids);
    }
  }
}

TEST_CASE("A flat model's ties are broken by the lower token, the same way every time") {
  const Logits flat = [](int64_t, const Ids&) { return std::vector<float>(6, 0.0F); };
  const std::vector<Hypothesis> list = search_one(flat, 4, options_with(5, 5, average(0)));
  CHECK(list.front().ids == Ids{});
  CHECK(list.front().log_probability == Approx(-std::log(6.0)));
  const std::vector<Hypothesis> again = search_one(flat, 4, options_with(5, 5, average(0)));
  std::set<Ids> distinct;
  for (size_t i = 0; i < list.size(); ++i) {
    CHECK(list[i].ids == again[i].ids);
    distinct.insert(list[i].ids);
  }
  CHECK(distinct.size() == 5);
  CHECK(list[1].ids == Ids{0});
}

TEST_CASE("Beam 1 is greedy decoding") {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<int64_t> limits{12, 3, 1, 8, 12};
    SearchOptions options = options_with(1, 1, average(0.7));
    options.min_length = static_cast<int64_t>(seed % 3);
    if (seed > 5) options.banned = {0, 2};
    PrefixModel for_beam(5, scrambled(9, seed)), for_greedy(5, scrambled(9, seed));
    const auto beam = beam_search(for_beam, limits, options), greedy = greedy_search(for_greedy, limits, options);
    for (size_t i = 0; i < limits.size(); ++i) {
      REQUIRE(beam[i].size() == 1);
      CHECK(beam[i][0].ids == greedy[i][0].ids);
      CHECK(beam[i][0].score == greedy[i][0].score);
      CHECK(beam[i][0].log_probability == greedy[i][0].log_probability);
      CHECK(beam[i][0].finished == greedy[i][0].finished);
    }
    CHECK(for_beam.fed() == for_greedy.fed());
  }
}

TEST_CASE("Sentences of one batch are searched as if each were alone") {
  const std::vector<int64_t> limits{5, 12, 1, 9};
  const SearchOptions options = options_with(3, 3, {LengthPenalty::Rule::gnmt, 0.6});
  PrefixModel together(4, scrambled(8, 3));
  const auto found = beam_search(together, limits, options);
  for (int64_t sentence = 0; sentence < 4; ++sentence) {
    PrefixModel alone(1, [&](int64_t, const Ids& prefix) { return scrambled(8, 3)(sentence, prefix); });
    const auto expected = beam_search(alone, {limits[static_cast<size_t>(sentence)]}, options).front();
    REQUIRE(found[static_cast<size_t>(sentence)].size() == expected.size());
    for (size_t i = 0; i < expected.size(); ++i) CHECK(found[static_cast<size_t>(sentence)][i].ids == expected[i].ids);
  }
}

TEST_CASE("Hypotheses that reach the limit are cut, flagged, and stand behind finished ones") {
  const Logits endless = [](int64_t, const Ids&) { return std::vector<float>{0, 1, 0.5F, -1e4F}; };
  const std::vector<Hypothesis> list = search_one(endless, 3, options_with(2, 2, average(1)));
  REQUIRE(list.size() == 2);
  CHECK(list[0].ids == Ids{1, 1, 1});
  CHECK_FALSE(list[0].finished);
  CHECK(list[0].score == Approx(list[0].log_probability / 3));
  PrefixModel model(1, endless);
  CHECK_FALSE(greedy_search(model, {3}, options_with(1, 1, average(1)))[0][0].finished);
}

TEST_CASE("Finished sentences leave the batch and cost nothing more") {
  const Logits one_ends = [](int64_t sentence, const Ids& prefix) {
    const bool ends = sentence == 0 || prefix.size() == 9;
    return ends ? std::vector<float>{-50, -50, -50, 0} : std::vector<float>{5, 0, -1, -50};
  };
  PrefixModel greedy(2, one_ends);
  greedy_search(greedy, {20, 20}, options_with(1, 1, average(0)));
  CHECK(greedy.fed() == 1 + 10);
  PrefixModel beam(2, one_ends);
  beam_search(beam, {20, 20}, options_with(1, 1, average(0)));
  CHECK(beam.fed() == 1 + 10);
}

TEST_CASE("A model that gives NaN ends the search with what there is") {
  const Logits broken = [](int64_t, const Ids& prefix) {
    return prefix.size() < 2 ? std::vector<float>{1, 0, 0, -9}
                             : std::vector<float>(4, std::numeric_limits<float>::quiet_NaN());
  };
  const std::vector<Hypothesis> list = search_one(broken, 9, options_with(2, 1, average(1)));
  REQUIRE(list.size() == 1);
  CHECK(list[0].ids == Ids{0, 0});
  CHECK_FALSE(list[0].finished);
  PrefixModel model(1, broken);
  CHECK(greedy_search(model, {9}, options_with(1, 1, average(1)))[0][0].ids == Ids{0, 0});
}
