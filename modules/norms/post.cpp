#include "modules/norms/post.h"

namespace attnlab::modules {

torch::Tensor PostPlacement::apply(const torch::Tensor& x, const ResidualParts& parts) const {
  return parts.norm(0, parts.add(x, parts.sublayer(x)));
}

std::unique_ptr<Placement> make_post(const TransformerOptions&, Stack) {
  return std::make_unique<PostPlacement>();
}

}  // namespace attnlab::modules
