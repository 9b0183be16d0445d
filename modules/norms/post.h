#pragma once
/// Post-LN, the paper's placement (section 3.1): Norm(x + Dropout(Sublayer(x))).

#include <memory>

#include "modules/norms/placement.h"
#include "modules/options.h"

namespace attnlab::modules {

class PostPlacement : public Placement {
 public:
  torch::Tensor apply(const torch::Tensor& x, const ResidualParts& parts) const override;
};

std::unique_ptr<Placement> make_post(const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
