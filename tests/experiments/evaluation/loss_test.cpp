#include <cmath>

#include "experiments/decoding/decode.h"
#include "experiments/decoding/likelihood.h"
#include "experiments/evaluation/evaluate.h"
#include "support/error.h"
#include "tests/experiments/decoding/small_model.h"
#include "tests/support/catch.h"

using namespace attnlab;
using namespace attnlab::evaluation;
using decoding::test::small_model;
using decoding::test::source_of;

namespace {

std::vector<data::EncodedPair> pairs_of(int64_t count) {
  std::vector<data::EncodedPair> pairs;
  for (int64_t i = 0; i < count; ++i) pairs.push_back({source_of(i), source_of(count - i)});
  return pairs;
}

}  // namespace

TEST_CASE("The loss is the mean negative log-probability of target tokens with eos") {
  modules::Transformer model = small_model();
  const std::vector<data::EncodedPair> pairs = pairs_of(25);
  double total = 0;
  int64_t tokens = 0;
  for (const auto& one : decoding::likelihood(model, pairs, 2, 200)) {
    total += one.total;
    tokens += static_cast<int64_t>(one.tokens.size());
  }
  const LossReport report = score_loss(model, pairs, 2, 200);
  CHECK(report.tokens == tokens);
  CHECK(report.loss == Approx(-total / static_cast<double>(tokens)).epsilon(1e-5));
  CHECK(report.perplexity == Approx(std::exp(report.loss)));
}

TEST_CASE("The loss depends neither on batching nor on padding") {
  modules::Transformer model = small_model();
  const std::vector<data::EncodedPair> pairs = pairs_of(25);
  const LossReport alone = score_loss(model, pairs, 2, 1), all = score_loss(model, pairs, 2, 100000);
  CHECK(all.loss == Approx(alone.loss).epsilon(1e-5));
  CHECK(all.tokens == alone.tokens);
  CHECK(all.accuracy == Approx(alone.accuracy));
}

TEST_CASE("Accuracy is the share of tokens that greedy decoding would choose") {
  modules::Transformer model = small_model();
  decoding::DecodeOptions options;
  options.search.beam = 1;
  options.search.max_length_extra = 30;
  options.special.silent.clear();  // scoring looks at all pieces
  std::vector<data::EncodedPair> right, spoiled;
  for (int64_t i = 0; i < 40; ++i) {
    const decoding::Hypothesis best = decoding::decode(model, {source_of(i)}, options)[0][0];
    if (!best.finished) continue;
    data::EncodedPair pair{source_of(i), best.ids};
    pair.target.push_back(3);
    right.push_back(pair);
    pair.target.back() = pair.target.size() == 1 || pair.target[0] != 5 ? 5 : 6;  // the last token is wrong now
    spoiled.push_back(pair);
  }
  REQUIRE(right.size() > 5);
  CHECK(score_loss(model, right, 2, 500).accuracy == 1);
  const LossReport report = score_loss(model, spoiled, 2, 500);
  CHECK(report.accuracy == Approx(1 - static_cast<double>(spoiled.size()) / static_cast<double>(report.tokens)));
}

TEST_CASE("More tokens than are scored at a time, and none at all") {
  modules::Transformer model = small_model();
  const std::vector<data::EncodedPair> pairs = pairs_of(400);  // above 1,024 tokens in one batch
  CHECK(score_loss(model, pairs, 2, 100000).loss == Approx(score_loss(model, pairs, 2, 64).loss).epsilon(1e-5));
  CHECK_THROWS_WITH(score_loss(model, {}, 2, 100), "There are no sentence pairs to compute a loss of");
}

TEST_CASE("Scoring keeps no gradient and leaves the model trainable") {
  modules::Transformer model = small_model();
  score_loss(model, pairs_of(3), 2, 100);
  for (const auto& parameter : model->parameters()) CHECK_FALSE(parameter.grad().defined());
  modules::Context context;
  const torch::Tensor ids = torch::tensor({{4, 5, 3}}), lengths = torch::tensor({3});
  model->forward(ids, lengths, ids, lengths, context).sum().backward();
}
