#pragma once
/// What relative methods share. A distance is the key's position minus the query's: negative for the past. Tq queries
/// and Tk keys, both at consecutive positions, have W = Tq + Tk - 1 different distances.

#include <cstdint>
#include <vector>

#include "modules/options.h"
#include "modules/positions/positions.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// The W distances, in rising order.
PositionRange distances(PositionRange queries, PositionRange keys);

/// From a row of distances to a row of keys for each query: `x` [..., Tq, W] -> [..., Tq, Tk]. A view wherever the last
/// two dimensions of `x` are contiguous.
torch::Tensor from_distances(const torch::Tensor& x, int64_t queries, int64_t keys);

/// The other way: `x` [..., Tq, Tk] -> [..., Tq, W], 0 at distances that a query does not have.
torch::Tensor to_distances(const torch::Tensor& x);

/// One value for each distance, the same for all queries: `x` [..., W] -> [..., Tq, Tk].
torch::Tensor spread_distances(const torch::Tensor& x, int64_t queries, int64_t keys);

/// N of a stack, for methods whose parameters belong to a layer.
int64_t layers_of(const TransformerOptions& model, Stack stack);

/// One matrix of zeros [rows, width] for each layer, registered in `list` as 0, 1, ...
std::vector<torch::Tensor> layer_matrices(torch::nn::ParameterList list, int64_t layers, int64_t rows, int64_t width);

/// Draws them: Xavier uniform, each on its own.
void reset_layer_matrices(const std::vector<torch::Tensor>& matrices, const Initializer& initializer);

}  // namespace attnlab::modules
