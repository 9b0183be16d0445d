#include "modules/positions/relative.h"

#include <string>

namespace attnlab::modules {

PositionRange distances(PositionRange queries, PositionRange keys) {
  return {keys.first - queries.end() + 1, queries.count + keys.count - 1};
}

// Key j of query i stands in column j - i + Tq - 1. In rows that are one element shorter the same elements stand in
// columns that do not depend on i (the shift of Transformer-XL, appendix B, without its padding).
torch::Tensor from_distances(const torch::Tensor& x, int64_t queries, int64_t keys) {
  if (queries == 1) {
    return x;
  }
  const int64_t shorter = x.size(-1) - 1;
  return x.flatten(-2).narrow(-1, queries - 1, queries * shorter).unflatten(-1, {queries, shorter}).narrow(-1, 0, keys);
}

torch::Tensor to_distances(const torch::Tensor& x) {
  const int64_t queries = x.size(-2), keys = x.size(-1);
  if (queries == 1) {
    return x;
  }
  const auto shorter = torch::constant_pad_nd(x, {0, queries - 2});
  return torch::constant_pad_nd(shorter.flatten(-2), {queries - 1, 1}).unflatten(-1, {queries, queries + keys - 1});
}

torch::Tensor spread_distances(const torch::Tensor& x, int64_t queries, int64_t keys) {
  return queries == 1 ? x.unsqueeze(-2) : x.unfold(-1, keys, 1).flip(-2);  // window s is that of query Tq - 1 - s
}

int64_t layers_of(const TransformerOptions& model, Stack stack) {
  return stack == Stack::encoder ? model.encoder_layers : model.decoder_layers;
}

std::vector<torch::Tensor> layer_matrices(torch::nn::ParameterList list, int64_t layers, int64_t rows, int64_t width) {
  std::vector<torch::Tensor> matrices;
  for (int64_t layer = 0; layer < layers; ++layer) {
    list->append(torch::zeros({rows, width}, torch::requires_grad()));
    matrices.push_back(list[layer]);
  }
  return matrices;
}

void reset_layer_matrices(const std::vector<torch::Tensor>& matrices, const Initializer& initializer) {
  for (size_t layer = 0; layer < matrices.size(); ++layer) {
    initializer.xavier_uniform(matrices[layer], std::to_string(layer));
  }
}

}  // namespace attnlab::modules
