#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "experiments/data/batches.h"
#include "experiments/evaluation/evaluate.h"
#include "experiments/evaluation/token_scores.h"
#include "modules/evaluation_mode.h"
#include "support/error.h"

namespace attnlab::evaluation {
namespace {

constexpr int32_t kPad = 0;  // padded ids are never looked at

/// Sums over tokens.
struct Sums {
  double loss = 0, right = 0;
  int64_t tokens = 0;

  void add(const TokenScores& scores) {
    loss -= scores.log_probabilities.sum(torch::kFloat64).item<double>();
    right += scores.right.sum(torch::kFloat64).item<double>();
    tokens += scores.right.size(0);
  }
};

}  // namespace

LossReport score_loss(modules::Transformer& model, const data::Pairs& pairs, int32_t bos, int64_t batch_tokens) {
  if (pairs.empty()) throw Error("There are no sentence pairs to compute a loss of");
  if (batch_tokens < 1) throw Error(fmt::format("a batch of {} tokens; it must be at least 1", batch_tokens));
  const modules::EvaluationMode evaluation(*model);
  const c10::InferenceMode inference;
  Sums sums;
  for (const auto& rows : data::scoring_batches(pairs, batch_tokens)) {
    score_tokens(model, data::make_batch(pairs, rows, kPad, bos), [&](const TokenScores& scores) { sums.add(scores); });
  }
  const auto tokens = static_cast<double>(sums.tokens);
  const double loss = sums.loss / tokens;
  return {loss, std::exp(loss), sums.right / tokens, sums.tokens};
}

}  // namespace attnlab::evaluation
