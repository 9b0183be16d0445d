#pragma once
/// Sandwich-LN (Ding et al. 2021, CogView, section 2.4): x + Dropout(Norm_2(Sublayer(Norm_1(x)))). The second norm
/// keeps a sub-layer from adding ever larger values. Like pre-LN it needs one more norm after a stack's last layer: its
/// registry line says so.

#include <memory>

#include "modules/norms/placement.h"
#include "modules/options.h"

namespace attnlab::modules {

class SandwichPlacement : public Placement {
 public:
  torch::Tensor apply(const torch::Tensor& x, const ResidualParts& parts) const override;
};

std::unique_ptr<Placement> make_sandwich(const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
