#pragma once
/// Rows divided by their length: what RMSNorm and ScaleNorm have in common.

#include "modules/cpu/row_length.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// x / length(row) * gain: `x` [..., D], `gain` [D] -> [..., D], in the wider of the two's types. On the CPU in float32
/// and float64 one pass forward and one backward; elsewhere, torch's operations, in float32 for narrower types.
torch::Tensor divide_by_length(const torch::Tensor& x, const torch::Tensor& gain, cpu::LengthRule rule, double epsilon);

}  // namespace attnlab::modules
