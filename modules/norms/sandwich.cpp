#include "modules/norms/sandwich.h"

namespace attnlab::modules {

torch::Tensor SandwichPlacement::apply(const torch::Tensor& x, const ResidualParts& parts) const {
  return parts.add(x, parts.norm(1, parts.sublayer(parts.norm(0, x))));
}

std::unique_ptr<Placement> make_sandwich(const TransformerOptions&, Stack) {
  return std::make_unique<SandwichPlacement>();
}

}  // namespace attnlab::modules
