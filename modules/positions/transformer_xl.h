#pragma once
/// The relative positions of Transformer-XL (Dai et al. 2019, section 3.3), without its recurrence over segments.

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/options.h"
#include "modules/positions/growing_table.h"
#include "modules/positions/positions.h"
#include "modules/positions/sinusoidal.h"

namespace attnlab::modules {

/// Score (i, j) is ((q_i + u) k_j + (q_i + v) W_R R(i - j)) / sqrt(d_k), with R the sinusoids of width D. Every layer
/// has its own W_R [H*d_k, D], Xavier uniform; the content bias u and the position bias v [H, d_k] are shared by the
/// layers, as in the paper, and start at 0.
class TransformerXl : public Positions {
 public:
  TransformerXl(const PositionOptions& options, const TransformerOptions& model, Stack stack);
  torch::Tensor bias(int64_t layer, const torch::Tensor& q, const torch::Tensor& k, PositionRange queries,
                     PositionRange keys) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  GrowingTable sinusoids_;         // [distances so far, D]: row of distance d is R(-d)
  std::vector<torch::Tensor> w_r;  // of each layer [H*d_k, D], registered as w_r.0, w_r.1, ...
  torch::Tensor u, v;              // [H, d_k]
};

std::shared_ptr<Positions> make_transformer_xl(const PositionOptions& options, const TransformerOptions& model,
                                               Stack stack);
int64_t transformer_xl_size(const PositionOptions& options, const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
