#pragma once
/// The encoder: N layers, and a final norm where the placement asks for one.

#include <memory>
#include <vector>

#include "modules/encoder_layer.h"
#include "modules/positional_encoding.h"
#include "modules/torch.h"

namespace attnlab::modules {

class EncoderImpl : public torch::nn::Module {
 public:
  explicit EncoderImpl(const TransformerOptions& options);
  void reset_parameters(const Initializer& initializer);

  /// Embedded source `x` [B, S, D] -> [B, S, D], or [N, D] -> [N, D] where the sequence has `rows`.
  torch::Tensor forward(torch::Tensor x, const Sequence& sequence, Context& context);

 private:
  std::vector<EncoderLayer> layers;  // registered as layers.0, layers.1, ...
  std::shared_ptr<Norm> final_norm;  // null without one
};
TORCH_MODULE(Encoder);

}  // namespace attnlab::modules
