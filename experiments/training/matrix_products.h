#pragma once
/// The matrix products of one training step, without anything around them: the bound that a step is measured against.

#include <cstdint>
#include <vector>

#include "experiments/data/batches.h"
#include "modules/options.h"
#include "modules/torch.h"

namespace attnlab::training {

/// `times` products of [rows, inner] by [inner, columns], each for a whole `batch` at once.
struct Product {
  int64_t times, batch, rows, inner, columns;
  /// Multiplications and additions of the product and of the two that its backward pass needs.
  double operations() const {
    return 6.0 * static_cast<double>(times * batch * rows) * static_cast<double>(inner * columns);
  }
};

/// Those of a forward pass: projections (those of one input together), scores and their use on the values,
/// feed-forward, and the output matrix at the target positions that are no padding.
std::vector<Product> products_of(const modules::TransformerOptions& options, const data::Batch& batch);

/// Runs products forward and backward on memory that it keeps.
class ProductRunner {
 public:
  ProductRunner(torch::ScalarType type, torch::Device device) : options_(torch::TensorOptions(type).device(device)) {}

  /// Makes room for these, so that `run` allocates nothing.
  void reserve(const std::vector<Product>& products);

  /// Y = X W^T, dX = dY W, dW = dY^T X for each: W is stored as [columns, inner], as linear layers store it.
  void run(const std::vector<Product>& products);

 private:
  torch::Tensor part(size_t role, int64_t batch, int64_t rows, int64_t columns) const;

  torch::TensorOptions options_;
  torch::Tensor memory_[6];  // X, W, Y and their gradients
};

}  // namespace attnlab::training
