#include "experiments/decoding/transformer_steps.h"

#include <algorithm>
#include <utility>

namespace attnlab::decoding {

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

TransformerSteps::TransformerSteps(modules::Transformer model, const std::vector<const Ids*>& sources,
                                   const modules::HeadGates* gates)
    : model_(std::move(model)), device_(device_of(model_)) {
  context_.gates = gates;
  const Padded source = pad_ids(sources, device_);
  memory_ = model_->encode(source.ids, source.lengths, context_);
}

torch::Tensor TransformerSteps::next(const std::vector<int64_t>& tokens) {
  return model_->logits(model_->decode_next(on_device(tokens), memory_, cache_, context_));
}

void TransformerSteps::select(const std::vector<int64_t>& rows) {
  const torch::Tensor index = on_device(rows);
  memory_ = memory_.select(index);
  cache_.select(index);
}

torch::Tensor TransformerSteps::on_device(const std::vector<int64_t>& values) const {
  return torch::tensor(values, torch::kInt64).to(device_);
}

}  // namespace attnlab::decoding
