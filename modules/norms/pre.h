#pragma once
/// Pre-LN (Xiong et al. 2020): x + Dropout(Sublayer(Norm(x))). The stack needs one more norm after its last layer: its
/// registry line says so.

#include <memory>

#include "modules/norms/placement.h"
#include "modules/options.h"

namespace attnlab::modules {

class PrePlacement : public Placement {
 public:
  torch::Tensor apply(const torch::Tensor& x, const ResidualParts& parts) const override;
};

std::unique_ptr<Placement> make_pre(const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
