#pragma once
/// A table of constants with one row for each position, or for each distance, that grows when it is asked for more.

#include <functional>
#include <mutex>
#include <utility>

#include "modules/positions/positions.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// Keeps the rows that were computed last. Several threads may ask at once.
class GrowingTable {
 public:
  /// Computes the rows of a range, on the CPU: [count, ...].
  using Make = std::function<torch::Tensor(PositionRange)>;
  explicit GrowingTable(Make make) : make_(std::move(make)) {}

  /// The rows of `range`, whose first may be negative: [count, ...], of the dtype and on the device of `like`.
  torch::Tensor rows(PositionRange range, const torch::TensorOptions& like);

 private:
  Make make_;
  std::mutex mutex_;
  int64_t first_ = 0;    // what the table's first row stands for, never above 0
  torch::Tensor table_;  // of the dtype and on the device of the last call
};

/// The dtype in which tables are used beside tensors of `options`: float64 for float64, float32 for everything else,
/// since bfloat16 has no room for large positions.
torch::TensorOptions table_options(const torch::TensorOptions& options);

}  // namespace attnlab::modules
