#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "experiments/decoding/decode.h"
#include "experiments/decoding/decode_batches.h"
#include "experiments/decoding/transformer_steps.h"
#include "experiments/decoding/workers.h"
#include "modules/evaluation_mode.h"
#include "support/error.h"

namespace attnlab::decoding {
namespace {

void check(const std::vector<Ids>& sources, const std::vector<Ids>& targets, int64_t batch_tokens) {
  if (sources.size() != targets.size()) {
    throw Error(fmt::format("{} sources and {} targets; they must be as many", sources.size(), targets.size()));
  }
  if (batch_tokens < 1) throw Error(fmt::format("a batch of {} tokens; it must be at least 1", batch_tokens));
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty() || targets[i].empty())
      throw Error(fmt::format("pair {} has a side without ids, not even its end mark", i + 1));
  }
}

Ids decoder_input(const Ids& target, int32_t bos) {
  Ids input{bos};
  input.insert(input.end(), target.begin(), target.end() - 1);
  return input;
}

/// Log-probabilities of one batch: [B, T], padding included.
torch::Tensor token_log_probabilities(modules::Transformer& model, const std::vector<const Ids*>& sources,
                                      const std::vector<const Ids*>& targets, int32_t bos) {
  std::vector<Ids> inputs;
  for (const Ids* target : targets) inputs.push_back(decoder_input(*target, bos));
  std::vector<const Ids*> input_rows;
  for (const Ids& input : inputs) input_rows.push_back(&input);
  const torch::Device device = device_of(model);
  const Padded source = pad_ids(sources, device), input = pad_ids(input_rows, device),
               target = pad_ids(targets, device);
  modules::Context context;
  const torch::Tensor logits =
      model->forward(source.ids, source.lengths, input.ids, input.lengths, context).to(torch::kFloat32);  // [B, T, V]
  const torch::Tensor chosen = logits.gather(2, target.ids.unsqueeze(2)).squeeze(2);                      // [B, T]
  return (chosen - logits.logsumexp(2)).to(torch::kCPU, torch::kFloat64).contiguous();
}

}  // namespace

std::vector<Likelihood> likelihood(modules::Transformer& model, const std::vector<Ids>& sources,
                                   const std::vector<Ids>& targets, int32_t bos, int64_t batch_tokens) {
  check(sources, targets, batch_tokens);
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < sources.size(); ++i)
    lengths.push_back(static_cast<int64_t>(std::max(sources[i].size(), targets[i].size())));
  const modules::EvaluationMode evaluation(*model);
  const auto batches = token_batches(lengths, batch_tokens);
  std::vector<Likelihood> results(sources.size());
  for_each_batch(static_cast<int64_t>(batches.size()), Spread::over_operators, [&](int64_t i) {
    const std::vector<int64_t>& batch = batches[static_cast<size_t>(i)];
    std::vector<const Ids*> source_rows, target_rows;
    for (const int64_t pair : batch) {
      source_rows.push_back(&sources[static_cast<size_t>(pair)]);
      target_rows.push_back(&targets[static_cast<size_t>(pair)]);
    }
    const torch::Tensor scores = token_log_probabilities(model, source_rows, target_rows, bos);
    for (size_t row = 0; row < batch.size(); ++row) {
      const double* first = scores.const_data_ptr<double>() + static_cast<int64_t>(row) * scores.size(1);
      Likelihood& result = results[static_cast<size_t>(batch[row])];
      result.tokens.assign(first, first + target_rows[row]->size());
      result.total = std::accumulate(result.tokens.begin(), result.tokens.end(), 0.0);
    }
  });
  return results;
}

}  // namespace attnlab::decoding
