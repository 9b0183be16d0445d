#include "experiments/decoding/likelihood.h"

#include <cmath>
#include <numeric>

#include "experiments/decoding/decode.h"
#include "tests/experiments/decoding/small_model.h"
#include "tests/support/catch.h"

using namespace attnlab;
using namespace attnlab::decoding;
using namespace attnlab::decoding::test;

TEST_CASE("Likelihoods are log-softmax values of the logits, whatever the batch") {
  const torch::NoGradGuard no_grad;
  modules::Transformer model = small_model();
  std::vector<data::EncodedPair> pairs;
  for (int64_t i = 0; i < 9; ++i) pairs.push_back({source_of(i), source_of(9 - i)});
  pairs[4].target = {3};  // the empty sentence
  const auto together = likelihood(model, pairs, /*bos=*/2, 4096), alone = likelihood(model, pairs, 2, 1);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Ids& target = pairs[i].target;
    std::vector<int64_t> input{2}, output(target.begin(), target.end());
    input.insert(input.end(), target.begin(), target.end() - 1);
    const std::vector<int64_t> ids(pairs[i].source.begin(), pairs[i].source.end());
    modules::Context context;
    const auto length = [](const std::vector<int64_t>& row) {
      return torch::tensor({static_cast<int64_t>(row.size())});
    };
    const torch::Tensor logits = model->forward(torch::tensor(ids).unsqueeze(0), length(ids),
                                                torch::tensor(input).unsqueeze(0), length(input), context);
    const torch::Tensor expected = logits[0].to(torch::kFloat64).log_softmax(1);  // [T, V]
    REQUIRE(together[i].tokens.size() == target.size());
    for (size_t t = 0; t < output.size(); ++t) {
      const auto value = expected[static_cast<int64_t>(t)][output[t]].item<double>();
      CHECK(together[i].tokens[t] == Approx(value).margin(1e-4));
      CHECK(alone[i].tokens[t] == Approx(value).margin(1e-4));
    }
    CHECK(together[i].total == Approx(std::accumulate(together[i].tokens.begin(), together[i].tokens.end(), 0.0)));
  }
}

TEST_CASE("The likelihood of a hypothesis is what decoding said of it") {
  modules::Transformer model = small_model();
  std::vector<Ids> sources;
  std::vector<data::EncodedPair> finished;
  for (int64_t i = 0; i < 30; ++i) sources.push_back(source_of(i));
  DecodeOptions options;
  options.n_best = 4;
  options.search.max_length_extra = 10;
  std::vector<double> expected;
  const auto decoded = decode(model, sources, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const Hypothesis& hypothesis : decoded[i]) {
      if (!hypothesis.finished) continue;
      finished.push_back({sources[i], hypothesis.ids});
      finished.back().target.push_back(3);
      expected.push_back(hypothesis.log_probability);
      const auto tokens = static_cast<double>(finished.back().target.size());
      CHECK(hypothesis.score == Approx(hypothesis.log_probability / std::pow((5 + tokens) / 6, 0.6)));
    }
  }
  REQUIRE(expected.size() > 20);
  const auto scored = likelihood(model, finished, 2, 512);
  for (size_t i = 0; i < expected.size(); ++i) CHECK(scored[i].total == Approx(expected[i]).margin(1e-3));
}

TEST_CASE("Log-probabilities are float32, by hand") {
  // e^logits are 1, 2, 5 and 1, 1, 6: each row sums to 8.
  const torch::Tensor logits = torch::tensor({{{1.0, 2.0, 5.0}, {1.0, 1.0, 6.0}}}).log();  // [1, 2, 3]
  for (const at::ScalarType type : {torch::kFloat64, torch::kFloat32}) {
    const torch::Tensor found = log_probabilities(logits.to(type), torch::tensor({{2, 0}}));
    CHECK(found.scalar_type() == torch::kFloat32);
    REQUIRE(found.sizes() == torch::IntArrayRef({1, 2}));
    CHECK(found[0][0].item<float>() == Approx(std::log(5.0 / 8)));
    CHECK(found[0][1].item<float>() == Approx(std::log(1.0 / 8)));
  }
}

TEST_CASE("Sides without ids and batches without tokens are refused") {
  modules::Transformer model = small_model();
  using Pairs = std::vector<data::EncodedPair>;
  CHECK_THROWS_WITH(likelihood(model, Pairs{{{3}, {3}}, {{3}, {}}}, 2, 100),
                    "pair 2 has a side without ids, not even its end mark");
  CHECK_THROWS_WITH(likelihood(model, Pairs{{{}, {3}}}, 2, 100),
                    "pair 1 has a side without ids, not even its end mark");
  CHECK_THROWS_WITH(likelihood(model, Pairs{{{3}, {3}}}, 2, 0), "a batch of 0 tokens; it must be at least 1");
}
