#pragma once
/// Names of devices.

#include <string>

#include "modules/torch.h"

namespace attnlab::training {

/// `cpu`, `cuda`, `cuda:N`, or `auto` (CUDA if there is one). Throws attnlab::Error if the device does not exist here,
/// saying what does; `key` is what the person set.
torch::Device choose_device(const std::string& name, const std::string& key = "training.device");

}  // namespace attnlab::training
