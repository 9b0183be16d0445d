#pragma once
/// A padded batch of ids as tensors.

#include "experiments/data/batches.h"
#include "experiments/training/batch_parts.h"
#include "modules/torch.h"

namespace attnlab::training {

struct BatchTensors {
  torch::Tensor source;          ///< [B, S] int64 on the device
  torch::Tensor source_lengths;  ///< [B] int64 on the CPU
  torch::Tensor target_input;    ///< [B, T] int64 on the device
  torch::Tensor target_lengths;  ///< [B] int64 on the CPU
  torch::Tensor labels;          ///< [N] int64 on the device: what is to be predicted at each target token
  int64_t target_tokens = 0;     ///< N
};

/// Copies a batch to `device`.
BatchTensors to_tensors(const data::Batch& batch, torch::Device device);

/// Copies some sentences of a batch, as wide as the whole.
BatchTensors to_tensors(const data::Batch& batch, const BatchPart& part, torch::Device device);

}  // namespace attnlab::training
