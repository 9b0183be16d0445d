#include "experiments/decoding/likelihood.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "experiments/data/tensors.h"
#include "experiments/decoding/decode_batches.h"
#include "experiments/decoding/transformer_steps.h"
#include "experiments/decoding/workers.h"
#include "modules/evaluation_mode.h"
#include "support/error.h"

namespace attnlab::decoding {
namespace {

void check(const data::Pairs& pairs, int64_t batch_tokens) {
  if (batch_tokens < 1) throw Error(fmt::format("a batch of {} tokens; it must be at least 1", batch_tokens));
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].source.empty() || pairs[i].target.empty())
      throw Error(fmt::format("pair {} has a side without ids, not even its end mark", i + 1));
  }
}

/// Log-probabilities of one batch: [B, T] float64 on the CPU, padding included.
torch::Tensor token_log_probabilities(modules::Transformer& model, const data::Batch& batch) {
  const torch::Device device = device_of(model);
  const data::BatchTensors tensors = data::to_tensors(batch, device);
  modules::Context context;
  const torch::Tensor logits = model->forward(tensors.source, tensors.source_lengths, tensors.target_input,
                                              tensors.target_lengths, context);  // [B, T, V]
  return log_probabilities(logits, data::padded_labels(batch, device)).to(torch::kCPU, torch::kFloat64).contiguous();
}

}  // namespace

torch::Tensor log_probabilities(const torch::Tensor& logits, const torch::Tensor& targets) {
  const torch::Tensor scores = logits.to(torch::kFloat32);
  return scores.gather(-1, targets.unsqueeze(-1)).squeeze(-1) - scores.logsumexp(-1);
}

std::vector<Likelihood> likelihood(modules::Transformer& model, const data::Pairs& pairs, int32_t bos,
                                   int64_t batch_tokens) {
  check(pairs, batch_tokens);
  std::vector<int64_t> lengths;
  for (const data::PairView pair : pairs)
    lengths.push_back(static_cast<int64_t>(std::max(pair.source.size(), pair.target.size())));
  const modules::EvaluationMode evaluation(*model);
  const auto batches = token_batches(lengths, batch_tokens);
  std::vector<Likelihood> results(pairs.size());
  for_each_batch(static_cast<int64_t>(batches.size()), Spread::over_operators, [&](int64_t i) {
    const std::vector<int64_t>& rows = batches[static_cast<size_t>(i)];
    const data::Batch batch = data::make_batch(pairs, rows, /*pad=*/0, bos);  // padded ids are never looked at
    const torch::Tensor scores = token_log_probabilities(model, batch);
    for (size_t row = 0; row < rows.size(); ++row) {
      const double* first = scores.const_data_ptr<double>() + static_cast<int64_t>(row) * scores.size(1);
      Likelihood& result = results[static_cast<size_t>(rows[row])];
      result.tokens.assign(first, first + batch.target_lengths[row]);
      result.total = std::accumulate(result.tokens.begin(), result.tokens.end(), 0.0);
    }
  });
  return results;
}

}  // namespace attnlab::decoding
