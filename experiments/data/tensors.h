#pragma once
/// A padded batch of ids as tensors.

#include "experiments/data/batches.h"
#include "modules/torch.h"

namespace attnlab::data {

struct BatchTensors {
  torch::Tensor source;          ///< [B, S] int64 on the device
  torch::Tensor source_lengths;  ///< [B] int64 on the CPU
  torch::Tensor target_input;    ///< [B, T] int64 on the device
  torch::Tensor target_lengths;  ///< [B] int64 on the CPU
  torch::Tensor labels;          ///< [N] int64 on the device: what is to be predicted at each target token
  int64_t target_tokens = 0;     ///< N
};

/// Copies a batch to `device`.
BatchTensors to_tensors(const Batch& batch, torch::Device device);

/// Copies `count` sentences of a batch from `first` on, as wide as the whole.
BatchTensors to_tensors(const Batch& batch, int64_t first, int64_t count, torch::Device device);

/// The labels of a batch with its padding: [B, T] int64 on `device`.
torch::Tensor padded_labels(const Batch& batch, torch::Device device);

}  // namespace attnlab::data
