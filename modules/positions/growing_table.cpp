#include "modules/positions/growing_table.h"

#include <algorithm>

#include <c10/core/InferenceMode.h>

namespace attnlab::modules {

torch::Tensor GrowingTable::rows(PositionRange range, const torch::TensorOptions& like) {
  const std::lock_guard lock(mutex_);
  if (!table_.defined() || range.first < first_ || first_ + table_.size(0) < range.end() ||
      table_.dtype() != like.dtype() || table_.device() != like.device()) {
    first_ = std::min<int64_t>(0, 2 * range.first);
    const int64_t end = std::max<int64_t>(256, 2 * range.end());
    // Validation may be the first to ask so far; what it leaves must be of use to training, too.
    const c10::InferenceMode no_inference(false);
    const torch::NoGradGuard no_grad;
    table_ = make_({first_, end - first_}).to(like);
  }
  return table_.narrow(0, range.first - first_, range.count);
}

torch::TensorOptions table_options(const torch::TensorOptions& options) {
  return options.dtype() == torch::kFloat64 ? options : options.dtype(torch::kFloat32);
}

}  // namespace attnlab::modules
