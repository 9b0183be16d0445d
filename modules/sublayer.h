#pragma once
/// "Add & Norm" of Figure 1: a sub-layer's residual connection, its dropout and its norm, in the order that the
/// placement says.

#include <functional>
#include <memory>
#include <vector>

#include "modules/context.h"
#include "modules/norms/norm.h"
#include "modules/norms/placement.h"
#include "modules/options.h"
#include "modules/torch.h"

namespace attnlab::modules {

class AddNormImpl : public torch::nn::Module {
 public:
  /// As the options' norm, placement and residual dropout say. Throws attnlab::Error for unknown names.
  AddNormImpl(const TransformerOptions& model, Stack stack);
  void reset_parameters(const Initializer& initializer);

  /// Runs `sublayer` on `x` [B, T, D] inside its residual -> [B, T, D], or [N, D] -> [N, D]. `valid` as for norms.
  torch::Tensor forward(const torch::Tensor& x, const std::function<torch::Tensor(const torch::Tensor&)>& sublayer,
                        const torch::Tensor& valid, Context& context);

 private:
  double dropout_;
  double residual_scale_;
  std::unique_ptr<Placement> placement_;
  std::vector<std::shared_ptr<Norm>>
      norms_;  // registered as norm, or norm_1, norm_2, ... where the placement has several
};
TORCH_MODULE(AddNorm);

/// The norm after a stack's last layer, or null where the placement has none.
std::shared_ptr<Norm> make_final_norm(const TransformerOptions& model);

}  // namespace attnlab::modules
