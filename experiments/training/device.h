#pragma once
/// Names of devices.

#include <string>

#include <torch/torch.h>

namespace attnlab::training {

/// `cpu`, `cuda`, `cuda:N`, or `auto` (CUDA if there is one). Throws attnlab::Error if the device does not exist here,
/// saying what does.
torch::Device choose_device(const std::string& name);

}  // namespace attnlab::training
