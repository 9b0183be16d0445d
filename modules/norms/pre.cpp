#include "modules/norms/pre.h"

namespace attnlab::modules {

torch::Tensor PrePlacement::apply(const torch::Tensor& x, const ResidualParts& parts) const {
  return parts.add(x, parts.sublayer(parts.norm(0, x)));
}

std::unique_ptr<Placement> make_pre(const TransformerOptions&, Stack) {
  return std::make_unique<PrePlacement>();
}

}  // namespace attnlab::modules
