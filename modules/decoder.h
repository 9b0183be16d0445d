#pragma once
/// The decoder: N layers, and a final norm where the placement asks for one.

#include <memory>
#include <vector>

#include "modules/decoder_cache.h"
#include "modules/decoder_layer.h"
#include "modules/positional_encoding.h"
#include "modules/torch.h"

namespace attnlab::modules {

class DecoderImpl : public torch::nn::Module {
 public:
  explicit DecoderImpl(const TransformerOptions& options);
  void reset_parameters(const Initializer& initializer);

  /// Embedded target `x` [B, T, D] and `memory` [B, S, D] -> [B, T, D], or [N, D] and [M, D] -> [N, D] where the
  /// sequence has `rows` and `memory_rows`. With a `cache`, x are the positions after those that it holds, of its rows:
  /// [R, T, D].
  torch::Tensor forward(torch::Tensor x, const Sequence& sequence, const torch::Tensor& memory,
                        const Visible& memory_visible, DecoderCache* cache, Context& context);

  /// The layers' matrices for steps of cached decoding.
  std::vector<ArrangedLayer> arranged() const;

 private:
  std::vector<DecoderLayer> layers;  // registered as layers.0, layers.1, ...
  std::shared_ptr<Norm> final_norm;  // null without one
};
TORCH_MODULE(Decoder);

}  // namespace attnlab::modules
