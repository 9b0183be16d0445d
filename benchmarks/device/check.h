#pragma once
/// A device's numbers beside the CPU's: every norm, placement, position method and attention kernel.

#include "modules/torch.h"

namespace attnlab::device_check {

/// Prints one line for each case and gives the number of cases that differ by more than rounding. Cases, each with
/// float32 weights of one seed and without dropout: loss and gradient of a batch with padding; decoding step by step
/// with a cache. Then how far the loss falls in some training steps in fp32 and bf16, and what dropout keeps.
int check(torch::Device device);

}  // namespace attnlab::device_check
