#include "modules/positions/shaw.h"

#include <algorithm>
#include <cmath>

#include "modules/positions/relative.h"

namespace attnlab::modules {

namespace {

// A run of distances, clipped: which rows of a table of 2k+1 it reads, and how often more the outermost ones.
struct Clipped {
  Clipped(PositionRange distances, int64_t k) {
    const int64_t lowest = distances.first, highest = distances.end() - 1;
    const int64_t from = std::clamp(lowest, -k, k), to = std::clamp(highest, -k, k);
    first = from + k;
    count = to - from + 1;
    low = lowest < -k ? std::min(highest, -k) - lowest : 0;
    high = highest > k ? highest - std::max(lowest, k) : 0;
  }

  // [..., count] -> [..., W]: the outermost columns are repeated.
  torch::Tensor widened(const torch::Tensor& x) const {
    if (low == 0 && high == 0) {
      return x;
    }
    auto shape = x.sizes().vec();
    const auto repeated = [&](int64_t column, int64_t times) {
      shape.back() = times;
      return x.narrow(-1, column, 1).expand(shape);
    };
    return torch::cat({repeated(0, low), x, repeated(count - 1, high)}, -1);
  }

  // [..., W] -> [..., count]: what is outside is added to the outermost columns.
  torch::Tensor folded(const torch::Tensor& x) const {
    auto result = x.narrow(-1, low, count);
    if (low > 0) {
      const auto outermost = x.narrow(-1, 0, low + 1).sum(-1, /*keepdim=*/true);
      result = torch::cat({outermost, result.narrow(-1, 1, count - 1)}, -1);
    }
    if (high > 0) {
      const auto outermost = result.narrow(-1, count - 1, 1) + x.narrow(-1, low + count, high).sum(-1, true);
      result = torch::cat({result.narrow(-1, 0, count - 1), outermost}, -1);
    }
    return result;
  }

  int64_t first, count;  // rows of the table
  int64_t low, high;     // distances below -k and above k
};

int64_t shaw_distance(const PositionOptions& options) {
  return options.max_distance > 0 ? options.max_distance : 16;
}

}  // namespace

Shaw::Shaw(int64_t max_distance, int64_t layers, int64_t d_k, int64_t d_v) : max_distance_(max_distance) {
  const int64_t rows = 2 * max_distance + 1;
  keys = layer_matrices(register_module("keys", torch::nn::ParameterList()), layers, rows, d_k);
  values = layer_matrices(register_module("values", torch::nn::ParameterList()), layers, rows, d_v);
}

void Shaw::reset_parameters(const Initializer& initializer) {
  reset_layer_matrices(keys, initializer.at("keys"));
  reset_layer_matrices(values, initializer.at("values"));
}

torch::Tensor Shaw::bias(int64_t layer, const torch::Tensor& q, const torch::Tensor&, PositionRange queries,
                         PositionRange keys_range) {
  const Clipped clipped(distances(queries, keys_range), max_distance_);
  const auto table = keys[static_cast<size_t>(layer)].narrow(0, clipped.first, clipped.count);
  const auto scaled = table.t() / std::sqrt(static_cast<double>(q.size(-1)));
  const auto by_distance = clipped.widened(torch::matmul(q, scaled));   // [B, H, Tq, W]
  return from_distances(by_distance, queries.count, keys_range.count);  // [B, H, Tq, Tk]
}

torch::Tensor Shaw::value(int64_t layer, const torch::Tensor& weights, PositionRange queries,
                          PositionRange keys_range) {
  const Clipped clipped(distances(queries, keys_range), max_distance_);
  const auto table = values[static_cast<size_t>(layer)].narrow(0, clipped.first, clipped.count);
  return torch::matmul(clipped.folded(to_distances(weights)), table.to(weights.dtype()));  // [B, H, Tq, d_v]
}

std::shared_ptr<Positions> make_shaw(const PositionOptions& options, const TransformerOptions& model, Stack stack) {
  return std::make_shared<Shaw>(shaw_distance(options), layers_of(model, stack), model.key_width(),
                                model.value_width());
}

int64_t shaw_size(const PositionOptions& options, const TransformerOptions& model, Stack stack) {
  const int64_t rows = 2 * shaw_distance(options) + 1;
  return layers_of(model, stack) * rows * (model.key_width() + model.value_width());
}

}  // namespace attnlab::modules
