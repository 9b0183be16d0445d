#include <algorithm>
#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "experiments/data/batches.h"
#include "experiments/evaluation/evaluate.h"
#include "modules/evaluation_mode.h"
#include "support/error.h"

namespace attnlab::evaluation {
namespace {

constexpr int64_t kLogitRows = 1024;  // logits of so many tokens at a time: memory does not grow with the batch
constexpr int32_t kPad = 0;           // padded ids are never looked at

/// Sums over tokens.
struct Sums {
  double loss = 0, right = 0;
  int64_t tokens = 0;
};

torch::Tensor tensor_of(std::vector<int64_t>& values, at::IntArrayRef shape, torch::Device device) {
  return torch::from_blob(values.data(), shape, torch::kInt64)
      .to(device, torch::kInt64, /*non_blocking=*/false, /*copy=*/true);
}

/// Adds the tokens with `states` [N, D], whose right predictions are `targets` [N].
void add_tokens(Sums& sums, modules::Transformer& model, const torch::Tensor& states, const torch::Tensor& targets) {
  for (int64_t first = 0; first < targets.size(0); first += kLogitRows) {
    const int64_t rows = std::min(kLogitRows, targets.size(0) - first);
    const torch::Tensor target = targets.narrow(0, first, rows);                                          // [n]
    const torch::Tensor logits = model->logits(states.narrow(0, first, rows)).to(torch::kFloat32);        // [n, V]
    const torch::Tensor losses = logits.logsumexp(1) - logits.gather(1, target.unsqueeze(1)).squeeze(1);  // [n]
    sums.loss += losses.sum(torch::kFloat64).item<double>();
    sums.right += (logits.argmax(1) == target).sum(torch::kFloat64).item<double>();
    sums.tokens += rows;
  }
}

void add_batch(Sums& sums, modules::Transformer& model, data::Batch batch) {
  const torch::Device device = model->parameters().front().device();
  const torch::Tensor source = tensor_of(batch.source, {batch.rows, batch.source_width}, device);
  const torch::Tensor source_lengths = tensor_of(batch.source_lengths, {batch.rows}, torch::kCPU);
  const torch::Tensor input = tensor_of(batch.target_input, {batch.rows, batch.target_width}, device);
  const torch::Tensor output = tensor_of(batch.target_output, {batch.rows, batch.target_width}, device);
  const torch::Tensor target_lengths = tensor_of(batch.target_lengths, {batch.rows}, torch::kCPU);
  modules::Context context;
  const torch::Tensor states = model->target_states(source, source_lengths, input, target_lengths, context);  // [N, D]
  add_tokens(sums, model, states, modules::TokenRows(target_lengths, batch.target_width, device).gather(output));
}

}  // namespace

LossReport score_loss(modules::Transformer& model, const data::Pairs& pairs, int32_t bos, int64_t batch_tokens) {
  if (pairs.empty()) throw Error("There are no sentence pairs to compute a loss of");
  if (batch_tokens < 1) throw Error(fmt::format("a batch of {} tokens; it must be at least 1", batch_tokens));
  const modules::EvaluationMode evaluation(*model);
  const c10::InferenceMode inference;
  Sums sums;
  for (const auto& rows : data::scoring_batches(pairs, batch_tokens)) {
    add_batch(sums, model, data::make_batch(pairs, rows, kPad, bos));
  }
  const auto tokens = static_cast<double>(sums.tokens);
  const double loss = sums.loss / tokens;
  return {loss, std::exp(loss), sums.right / tokens, sums.tokens};
}

}  // namespace attnlab::evaluation
