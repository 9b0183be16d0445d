#include "experiments/evaluation/token_scores.h"

#include <algorithm>

#include "experiments/data/tensors.h"
#include "experiments/decoding/likelihood.h"

namespace attnlab::evaluation {
namespace {

constexpr int64_t kLogitRows = 1024;

}  // namespace

void score_tokens(modules::Transformer& model, const data::Batch& batch,
                  const std::function<void(const TokenScores&)>& take) {
  const auto tensors = data::to_tensors(batch, model->parameters().front().device());
  modules::Context context;
  const torch::Tensor states = model->target_states(tensors.source, tensors.source_lengths, tensors.target_input,
                                                    tensors.target_lengths, context);  // [N, D]
  for (int64_t first = 0; first < tensors.target_tokens; first += kLogitRows) {
    const int64_t rows = std::min(kLogitRows, tensors.target_tokens - first);
    const torch::Tensor label = tensors.labels.narrow(0, first, rows);                              // [n]
    const torch::Tensor logits = model->logits(states.narrow(0, first, rows)).to(torch::kFloat32);  // [n, V]
    take({decoding::log_probabilities(logits, label), logits.argmax(1) == label});
  }
}

}  // namespace attnlab::evaluation
