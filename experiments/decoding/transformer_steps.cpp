#include "experiments/decoding/transformer_steps.h"

#include <algorithm>
#include <utility>

namespace attnlab::decoding {

namespace {

// So many rows' logits are looked at while they are in the cache.
constexpr int64_t kRowsOfBlock = 24;

}  // namespace

Padded pad_ids(const std::vector<const Ids*>& rows, torch::Device device) {
  size_t width = 0;
  for (const Ids* row : rows) width = std::max(width, row->size());
  const auto count = static_cast<int64_t>(rows.size());
  torch::Tensor ids = torch::zeros({count, static_cast<int64_t>(width)}, torch::kInt64);
  torch::Tensor lengths = torch::empty({count}, torch::kInt64);
  auto* id = ids.mutable_data_ptr<int64_t>();
  auto* length = lengths.mutable_data_ptr<int64_t>();
  for (const Ids* row : rows) {
    std::copy(row->begin(), row->end(), id);
    id += width;
    *length++ = static_cast<int64_t>(row->size());
  }
  return {ids.to(device), lengths.to(device)};
}

torch::Device device_of(const modules::Transformer& model) {
  return model->parameters().front().device();
}

TransformerSteps::TransformerSteps(modules::Transformer model, const modules::ArrangedDecoder& weights,
                                   const std::vector<const Ids*>& sources, const modules::HeadGates* gates)
    : model_(std::move(model)), device_(device_of(model_)), weights_(weights), cache_(weights) {
  context_.gates = gates;
  const Padded source = pad_ids(sources, device_);
  memory_ = model_->encode(source.ids, source.lengths, context_);
}

torch::Tensor TransformerSteps::next_states(const std::vector<int64_t>& tokens) {
  return model_->decode_next(on_device(tokens), memory_, cache_, context_);  // [R, D]
}

torch::Tensor TransformerSteps::next(const std::vector<int64_t>& tokens) {
  return weights_.output.times(next_states(tokens));  // [R, V]
}

TopK TransformerSteps::best(const std::vector<int64_t>& tokens, int64_t k, std::span<const int32_t> banned) {
  const torch::Tensor states = next_states(tokens);
  const int64_t rows = states.size(0), block = device_.is_cpu() ? kRowsOfBlock : rows;
  TopK best;
  for (int64_t first = 0; first < rows; first += block) {
    const torch::Tensor some = states.narrow(0, first, std::min(block, rows - first));
    best.append(log_softmax_top_k(weights_.output.times(some), k, banned));
  }
  return best;
}

void TransformerSteps::select(const std::vector<int64_t>& rows) {
  cache_.select(on_device(rows));
}

torch::Tensor TransformerSteps::on_device(const std::vector<int64_t>& values) const {
  return torch::tensor(values, torch::kInt64).to(device_);
}

}  // namespace attnlab::decoding
