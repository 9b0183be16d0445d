#include <cmath>
#include <numeric>

#include "experiments/decoding/decode.h"
#include "support/error.h"
#include "tests/experiments/decoding/small_model.h"
#include "tests/support/catch.h"

using namespace attnlab;
using namespace attnlab::decoding;
using namespace attnlab::decoding::test;

TEST_CASE("Likelihoods are log-softmax values of the logits, whatever the batch") {
  const torch::NoGradGuard no_grad;
  modules::Transformer model = small_model();
  std::vector<Ids> sources, targets;
  for (int64_t i = 0; i < 9; ++i) {
    sources.push_back(source_of(i));
    targets.push_back(source_of(9 - i));
  }
  targets[4] = {3};  // the empty sentence
  const auto together = likelihood(model, sources, targets, /*bos=*/2, 4096),
             alone = likelihood(model, sources, targets, 2, 1);
  for (size_t i = 0; i < sources.size(); ++i) {
    std::vector<int64_t> input{2}, output(targets[i].begin(), targets[i].end());
    input.insert(input.end(), targets[i].begin(), targets[i].end() - 1);
    const std::vector<int64_t> ids(sources[i].begin(), sources[i].end());
    modules::Context context;
    const auto length = [](const std::vector<int64_t>& row) {
      return torch::tensor({static_cast<int64_t>(row.size())});
    };
    const torch::Tensor logits = model->forward(torch::tensor(ids).unsqueeze(0), length(ids),
                                                torch::tensor(input).unsqueeze(0), length(input), context);
    const torch::Tensor expected = logits[0].to(torch::kFloat64).log_softmax(1);  // [T, V]
    REQUIRE(together[i].tokens.size() == targets[i].size());
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
  std::vector<Ids> sources, finished_sources, targets;
  for (int64_t i = 0; i < 30; ++i) sources.push_back(source_of(i));
  DecodeOptions options;
  options.n_best = 4;
  options.search.max_length_extra = 10;
  std::vector<double> expected;
  const auto decoded = decode(model, sources, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const Hypothesis& hypothesis : decoded[i]) {
      if (!hypothesis.finished) continue;
      finished_sources.push_back(sources[i]);
      targets.push_back(hypothesis.ids);
      targets.back().push_back(3);
      expected.push_back(hypothesis.log_probability);
      const auto tokens = static_cast<double>(targets.back().size());
      CHECK(hypothesis.score == Approx(hypothesis.log_probability / std::pow((5 + tokens) / 6, 0.6)));
    }
  }
  REQUIRE(expected.size() > 20);
  const auto scored = likelihood(model, finished_sources, targets, 2, 512);
  for (size_t i = 0; i < expected.size(); ++i) CHECK(scored[i].total == Approx(expected[i]).margin(1e-3));
}

TEST_CASE("Unequal counts and sides without ids are refused") {
  modules::Transformer model = small_model();
  CHECK_THROWS_WITH(likelihood(model, {Ids{3}}, {}, 2, 100), "1 sources and 0 targets; they must be as many");
  CHECK_THROWS_WITH(likelihood(model, {Ids{3}, Ids{3}}, {Ids{3}, Ids{}}, 2, 100),
                    "pair 2 has a side without ids, not even its end mark");
  CHECK_THROWS_AS(likelihood(model, {Ids{3}}, {Ids{3}}, 2, 0), Error);
}
