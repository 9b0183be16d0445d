#pragma once
/// The interface of placements: how x, a sub-layer's output and the norms are put together. A new placement is one file
/// here and one line in `norms/registry.cpp`.

#include <functional>
#include <memory>
#include <vector>

#include "modules/norms/norm.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// The parts from which a placement builds one residual sub-layer.
struct ResidualParts {
  std::function<torch::Tensor(const torch::Tensor& x)> sublayer;  ///< attention or feed-forward
  std::function<torch::Tensor(const torch::Tensor& residual, const torch::Tensor& output)>
      add;                                          ///< residual_scale * residual + dropout(output)
  const std::vector<std::shared_ptr<Norm>>* norms;  ///< as many as the placement's traits say
  torch::Tensor valid;                              ///< for the norms

  torch::Tensor norm(size_t which, const torch::Tensor& x) const { return (*norms)[which]->forward(x, valid); }
};

class Placement {
 public:
  virtual ~Placement() = default;
  /// The sub-layer with its residual and norms: `x` [B, T, D] -> [B, T, D], or [N, D] -> [N, D].
  virtual torch::Tensor apply(const torch::Tensor& x, const ResidualParts& parts) const = 0;
};

}  // namespace attnlab::modules
