#include "experiments/decoding/sampling.h"

#include <cmath>
#include <map>
#include <set>

#include "tests/experiments/decoding/toy_models.h"
#include "tests/support/catch.h"

using namespace attnlab::decoding;
using namespace attnlab::decoding::test;

namespace {

/// V = 12, probabilities of no special order.
const std::vector<double> kProbabilities{0.02, 0.20, 0.05, 0.01, 0.30, 0.08, 0.04, 0.15, 0.06, 0.03, 0.05, 0.01};

std::vector<float> logits_of(const std::vector<double>& probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

std::map<int32_t, int64_t> draws(const std::vector<double>& probabilities, const Sampling& sampling,
                                 uint64_t count = 10000) {
  const std::vector<float> logits = logits_of(probabilities);
  std::map<int32_t, int64_t> counts;
  for (uint64_t i = 0; i < count; ++i) ++counts[draw(logits, sampling, uniform(sampling.seed, i, 0, 1))];
  return counts;
}

/// Pearson's statistic of counts against probabilities.
double chi_square(const std::map<int32_t, int64_t>& counts, const std::map<int32_t, double>& expected,
                  double total = 10000) {
  double sum = 0;
  for (const auto& [token, p] : expected) {
    const auto found = counts.find(token);
    const double difference = static_cast<double>(found == counts.end() ? 0 : found->second) - p * total;
    sum += difference * difference / (p * total);
  }
  return sum;
}

std::map<int32_t, double> all_of(const std::vector<double>& probabilities) {
  std::map<int32_t, double> expected;
  for (size_t i = 0; i < probabilities.size(); ++i) expected[static_cast<int32_t>(i)] = probabilities[i];
  return expected;
}

constexpr double kChi11 = 31.264;  // the 99.9 % point of chi-square with 11 degrees of freedom
constexpr double kChi2 = 13.816;   // with 2

}  // namespace

TEST_CASE("Without filters, draws follow the softmax") {
  CHECK(chi_square(draws(kProbabilities, {}), all_of(kProbabilities)) < kChi11);
  for (const int64_t k : {12, 50}) {
    Sampling sampling;
    sampling.top_k = k;
    CHECK(chi_square(draws(kProbabilities, sampling), all_of(kProbabilities)) < kChi11);
  }
}

TEST_CASE("Top-k 1 and a tiny top-p are greedy") {
  Sampling k1, tiny;
  k1.top_k = 1;
  tiny.top_p = 1e-8;
  CHECK(draws(kProbabilities, k1) == std::map<int32_t, int64_t>{{4, 10000}});
  CHECK(draws(kProbabilities, tiny) == std::map<int32_t, int64_t>{{4, 10000}});
}

TEST_CASE("Top-p keeps the token that crosses p") {
  Sampling sampling;
  sampling.top_p = 0.9;
  const auto counts = draws({0.5, 0.41, 0.09}, sampling);
  CHECK(counts.size() == 2);
  CHECK(counts.count(2) == 0);
  CHECK(static_cast<double>(counts.at(0)) == Approx(10000 * 0.5 / 0.91).margin(200));
  CHECK(draws(kProbabilities, sampling).size() == 8);  // .30 .20 .15 .08 .06 .05 .05 = .89, and one more
}

TEST_CASE("Top-k filters first, top-p then looks at what is left, renormalised") {
  Sampling sampling;
  sampling.top_k = 4;    // .30 .20 .15 .08, sum .73
  sampling.top_p = 0.8;  // of .73: .30 .20 .15 reach it
  const auto counts = draws(kProbabilities, sampling);
  CHECK(chi_square(counts, {{4, 0.30 / 0.65}, {1, 0.20 / 0.65}, {7, 0.15 / 0.65}}) < kChi2);
  CHECK(counts.size() == 3);
}

TEST_CASE("Temperature sharpens and flattens") {
  Sampling sampling;
  sampling.temperature = 0.5;  // probabilities squared
  CHECK(chi_square(draws({0.6, 0.3, 0.1}, sampling), {{0, 36.0 / 46}, {1, 9.0 / 46}, {2, 1.0 / 46}}) < kChi2);
  sampling.temperature = 1e-6;
  CHECK(draws(kProbabilities, sampling) == std::map<int32_t, int64_t>{{4, 10000}});
}

TEST_CASE("Ties are cut in the order of tokens, banned tokens are never drawn, NaN gives nothing") {
  Sampling sampling;
  sampling.top_k = 2;
  const auto counts = draws({0.25, 0.25, 0.25, 0.25}, sampling);
  CHECK(counts.size() == 2);
  CHECK(counts.count(0) == 1);
  CHECK(counts.count(1) == 1);
  const std::vector<int32_t> banned{4, 1};
  for (uint64_t i = 0; i < 1000; ++i) {
    const int32_t token = draw(logits_of(kProbabilities), {}, uniform(1, i, 0, 0), banned);
    CHECK((token != 4 && token != 1));
  }
  CHECK(draw(std::vector<float>{NAN, NAN}, {}, 0.5) == -1);
  CHECK(draw(std::vector<float>{0, 0}, {}, 0.5, std::vector<int32_t>{0, 1}) == -1);
}

TEST_CASE("Top-k and top-p are over what may be drawn") {
  const std::vector<int32_t> banned{4, 1};  // .30 and .20: of the rest .15 .08 .06 .05 .05 .04 .03 .02 .01 .01
  Sampling two, half;
  two.top_k = 2;
  half.top_p = 0.5;  // of .50: .15 .08 .06 reach .25
  std::map<int32_t, int64_t> of_two, of_half;
  for (uint64_t i = 0; i < 10000; ++i) {
    ++of_two[draw(logits_of(kProbabilities), two, uniform(1, i, 0, 0), banned)];
    ++of_half[draw(logits_of(kProbabilities), half, uniform(1, i, 0, 0), banned)];
  }
  CHECK(of_two.size() == 2);
  CHECK(chi_square(of_half, {{7, 0.15 / 0.29}, {5, 0.08 / 0.29}, {8, 0.06 / 0.29}}) < kChi2);
  CHECK(of_half.size() == 3);
}

TEST_CASE("The generator is uniform and every part of its key matters") {
  double sum = 0;
  std::set<double> numbers;
  for (uint64_t i = 0; i < 10000; ++i) {
    const double number = uniform(0, i, 0, 0);
    CHECK((number >= 0 && number < 1));
    sum += number;
    numbers.insert(number);
  }
  CHECK(sum / 10000 == Approx(0.5).margin(0.0116));  // 4 standard errors
  CHECK(numbers.size() == 10000);
  const std::set<double> others{uniform(0, 0, 0, 0),          uniform(1, 0, 0, 0),         uniform(0, 1, 0, 0),
                                uniform(0, 0, 1, 0),          uniform(0, 0, 0, 1),         uniform(0, 1, 1, 0),
                                uniform(1ULL << 63, 0, 0, 0), uniform(1ULL << 31, 0, 0, 0)};
  CHECK(others.size() == 8);
}

TEST_CASE("Samples depend on seed, sentence and number, not on the batch around them") {
  SearchOptions options;
  options.n_best = 3;
  options.eos = 3;
  Sampling sampling;
  sampling.seed = 7;
  PrefixModel together(3, scrambled(9, 5));
  const auto all = sample(together, {10, 10, 10}, {40, 41, 42}, options, sampling);
  for (int64_t sentence = 0; sentence < 3; ++sentence) {
    PrefixModel alone(1, [&](int64_t, const Ids& prefix) { return scrambled(9, 5)(sentence, prefix); });
    const auto one = sample(alone, {10}, {40 + sentence}, options, sampling).front();
    REQUIRE(one.size() == 3);
    for (size_t i = 0; i < 3; ++i) {
      CHECK(one[i].ids == all[static_cast<size_t>(sentence)][i].ids);
      CHECK(one[i].log_probability == all[static_cast<size_t>(sentence)][i].log_probability);
    }
  }
  CHECK(all[0][0].ids != all[0][1].ids);
  sampling.seed = 0;
  PrefixModel other(3, scrambled(9, 5));
  CHECK(sample(other, {10, 10, 10}, {40, 41, 42}, options, sampling)[0][0].ids != all[0][0].ids);
}

TEST_CASE("A sample's log-probability is the model's, whatever the filters") {
  SearchOptions options;
  options.eos = 3;
  options.penalty = {LengthPenalty::Rule::average, 1};
  Sampling sampling;
  sampling.temperature = 2;
  sampling.top_k = 5;
  const Logits logits = scrambled(9, 6);
  PrefixModel model(1, logits);
  const Hypothesis drawn = sample(model, {20}, {0}, options, sampling)[0][0];
  double expected = 0;
  Ids prefix;
  for (const int32_t id : drawn.ids) {
    expected += log_softmax(logits(0, prefix))[static_cast<size_t>(id)];
    prefix.push_back(id);
  }
  if (drawn.finished) expected += log_softmax(logits(0, prefix))[3];
  CHECK(drawn.log_probability == Approx(expected));
  CHECK(drawn.score == Approx(expected / static_cast<double>(drawn.ids.size() + (drawn.finished ? 1 : 0))));
}
