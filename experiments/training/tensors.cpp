#include "experiments/training/tensors.h"

namespace attnlab::training {
namespace {

torch::Tensor copy(const std::vector<int64_t>& numbers, at::IntArrayRef shape) {
  return torch::tensor(at::ArrayRef<int64_t>(numbers), at::kLong).view(shape);
}

}  // namespace

BatchTensors to_tensors(const data::Batch& batch, torch::Device device) {
  std::vector<int64_t> labels;
  labels.reserve(static_cast<size_t>(batch.target_tokens));
  for (int64_t row = 0; row < batch.rows; ++row) {
    const int64_t begin = row * batch.target_width, length = batch.target_lengths[static_cast<size_t>(row)];
    for (int64_t position = begin; position < begin + length; ++position)
      labels.push_back(batch.target_output[static_cast<size_t>(position)]);
  }
  const auto count = static_cast<int64_t>(labels.size());
  BatchTensors tensors;
  tensors.source = copy(batch.source, {batch.rows, batch.source_width}).to(device);
  tensors.source_lengths = copy(batch.source_lengths, {batch.rows});
  tensors.target_input = copy(batch.target_input, {batch.rows, batch.target_width}).to(device);
  tensors.target_lengths = copy(batch.target_lengths, {batch.rows});
  tensors.labels = copy(labels, {count}).to(device);
  tensors.target_tokens = count;
  return tensors;
}

}  // namespace attnlab::training
