#include "experiments/evaluation/token_scores.h"

#include "experiments/decoding/likelihood.h"
#include "tests/experiments/decoding/small_model.h"
#include "tests/support/catch.h"

using namespace attnlab;
using namespace attnlab::evaluation;
using decoding::test::small_model;
using decoding::test::source_of;

TEST_CASE("Token scores come in the order of the rows, without padding, some at a time") {
  const torch::NoGradGuard no_grad;
  modules::Transformer model = small_model();
  std::vector<data::EncodedPair> pairs;
  for (int64_t i = 0; i < 400; ++i) pairs.push_back({source_of(i), source_of(400 - i)});  // above 1,024 tokens
  std::vector<torch::Tensor> parts, right;
  score_tokens(model, data::make_batch(pairs, /*pad=*/0, /*bos=*/2), [&](const TokenScores& scores) {
    CHECK(scores.log_probabilities.size(0) <= 1024);
    parts.push_back(scores.log_probabilities);
    right.push_back(scores.right);
  });
  CHECK(parts.size() > 1);
  std::vector<double> expected;
  for (const auto& one : decoding::likelihood(model, pairs, 2, 100'000))
    expected.insert(expected.end(), one.tokens.begin(), one.tokens.end());
  CHECK(torch::allclose(torch::cat(parts).to(torch::kFloat64), torch::tensor(expected, torch::kFloat64), 1e-4, 1e-4));
  // A token of probability above one half is the likeliest, one below 1 / 12, with 12 pieces, is not.
  const torch::Tensor p = torch::cat(parts).exp(), is_right = torch::cat(right);
  CHECK(is_right.masked_select(p > 0.5).all().item<bool>());
  CHECK_FALSE(is_right.masked_select(p < 1.0 / 12).any().item<bool>());
}
