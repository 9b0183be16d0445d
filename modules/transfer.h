#pragma once
/// From the CPU to where a model is.

#include "modules/torch.h"

namespace attnlab::modules {

/// `x` on `device`. From the CPU to a CUDA device it goes through page-locked memory, so that the program need not wait
/// until the device has taken it.
inline torch::Tensor on_device(const torch::Tensor& x, torch::Device device) {
  return device.is_cuda() && x.is_cpu() ? x.pin_memory().to(device, /*non_blocking=*/true) : x.to(device);
}

}  // namespace attnlab::modules
