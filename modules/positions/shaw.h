#pragma once
/// Relative positions of Shaw et al. 2018 ("Self-Attention with Relative Position Representations", section 3): a
/// learned vector for each distance joins the keys, and another one the values.

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/options.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

/// Score (i, j) is q_i (k_j + a_K[d]) / sqrt(d_k), and the output sum_j w_ij (v_j + a_V[d]), with d = j - i clipped to
/// [-k, k]. Every layer has its own a_K [2k+1, d_k] and a_V [2k+1, d_v], shared by its heads, Xavier uniform. A decoder
/// reads only the k+1 rows of the past.
class Shaw : public Positions {
 public:
  /// `max_distance` is the k of the formula.
  Shaw(int64_t max_distance, int64_t layers, int64_t d_k, int64_t d_v);
  torch::Tensor bias(int64_t layer, const torch::Tensor& q, const torch::Tensor& k, PositionRange queries,
                     PositionRange keys) override;
  torch::Tensor value(int64_t layer, const torch::Tensor& weights, PositionRange queries, PositionRange keys) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  int64_t max_distance_;
  std::vector<torch::Tensor> keys;    // of each layer [2k+1, d_k], registered as keys.0, keys.1, ...
  std::vector<torch::Tensor> values;  // of each layer [2k+1, d_v], registered as values.0, values.1, ...
};

std::shared_ptr<Positions> make_shaw(const PositionOptions& options, const TransformerOptions& model, Stack stack);
int64_t shaw_size(const PositionOptions& options, const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
