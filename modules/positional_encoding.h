#pragma once
/// The positions of one stack (section 3.5): the module that adds them to the embeddings, and that attention asks for
/// relative ones.

#include <memory>

#include "modules/options.h"
#include "modules/positions/positions.h"
#include "modules/positions/registry.h"
#include "modules/torch.h"

namespace attnlab::modules {

class PositionalEncodingImpl : public torch::nn::Module {
 public:
  /// The method that `options.type` names, for one stack of `model`. Throws attnlab::Error for an unknown name.
  PositionalEncodingImpl(const PositionOptions& options, const TransformerOptions& model, Stack stack);
  void reset_parameters(const Initializer& initializer);

  /// `x` [B, T, D], the scaled embeddings of the tokens at `range` -> [B, T, D]. `valid` [B, T] is true where a row is
  /// no padding; undefined when all are.
  torch::Tensor forward(const torch::Tensor& x, PositionRange range, const torch::Tensor& valid = {}) {
    return method->embed(x, range, valid);
  }

  /// For self-attention in the stack's layers: the method, and which of its hooks act there.
  Positions& positions() { return *method; }
  const PositionTraits& traits() const { return traits_; }

 private:
  const PositionTraits& traits_;
  std::shared_ptr<Positions> method;
};
TORCH_MODULE(PositionalEncoding);

}  // namespace attnlab::modules
