#include "experiments/data/tensors.h"

#include "modules/transfer.h"

namespace attnlab::data {
namespace {

/// Rows of `width` numbers, from `first` on.
torch::Tensor copy(const std::vector<int64_t>& numbers, int64_t first, int64_t count, int64_t width) {
  const auto begin = static_cast<size_t>(first * width), size = static_cast<size_t>(count * width);
  return torch::tensor(at::ArrayRef<int64_t>(numbers).slice(begin, size), at::kLong).view({count, width});
}

std::vector<int64_t> labels_of(const Batch& batch, int64_t first, int64_t count) {
  std::vector<int64_t> labels;
  for (int64_t row = first; row < first + count; ++row) {
    const int64_t begin = row * batch.target_width, length = batch.target_lengths[static_cast<size_t>(row)];
    for (int64_t position = begin; position < begin + length; ++position)
      labels.push_back(batch.target_output[static_cast<size_t>(position)]);
  }
  return labels;
}

}  // namespace

BatchTensors to_tensors(const Batch& batch, torch::Device device) {
  return to_tensors(batch, 0, batch.rows, device);
}

BatchTensors to_tensors(const Batch& batch, int64_t first, int64_t count, torch::Device device) {
  const std::vector<int64_t> labels = labels_of(batch, first, count);
  const auto rows = [&](const std::vector<int64_t>& numbers, int64_t width) {
    return copy(numbers, first, count, width);
  };
  BatchTensors tensors;
  tensors.source = modules::on_device(rows(batch.source, batch.source_width), device);
  tensors.source_lengths = rows(batch.source_lengths, 1).squeeze(1);
  tensors.target_input = modules::on_device(rows(batch.target_input, batch.target_width), device);
  tensors.target_lengths = rows(batch.target_lengths, 1).squeeze(1);
  tensors.labels = modules::on_device(torch::tensor(labels, at::kLong), device);
  tensors.target_tokens = static_cast<int64_t>(labels.size());
  return tensors;
}

torch::Tensor padded_labels(const Batch& batch, torch::Device device) {
  return modules::on_device(copy(batch.target_output, 0, batch.rows, batch.target_width), device);
}

}  // namespace attnlab::data
