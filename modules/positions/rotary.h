#pragma once
/// Rotary positions (Su et al. 2021, "RoFormer", section 3.2): queries and keys are turned by an angle that grows with
/// their position, so that their product depends on the distance alone.

#include <memory>
#include <string>
#include <vector>

#include "modules/options.h"
#include "modules/positions/growing_table.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

/// Which two of the d_k elements turn together.
enum class RotaryLayout {
  interleaved,  ///< 2i and 2i + 1: the paper, GPT-J
  halves,       ///< i and i + d_k/2: GPT-NeoX, Llama
};

/// Their names in a spec.
const std::vector<std::string>& rotary_layouts();

/// Turns pair i of every query and key by the angle pos * base^(-2i/d_k). It has no parameters and no limit. d_k must
/// be even; an odd one is refused when the options are checked.
class Rotary : public Positions {
 public:
  Rotary(int64_t d_k, RotaryLayout layout, double base);
  torch::Tensor rotate(const torch::Tensor& q_or_k, PositionRange range) override;

 private:
  RotaryLayout layout_;
  GrowingTable table_;  // [rows so far, d_k/2], complex: cos + i sin of the angle
};

std::shared_ptr<Positions> make_rotary(const PositionOptions& options, const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
