#include "modules/positions/sinusoidal.h"

#include <algorithm>
#include <cmath>

namespace attnlab::modules {

torch::Tensor sinusoidal_table(PositionRange range, int64_t d_model) {
  const auto float64 = torch::dtype(torch::kFloat64);
  const auto position = torch::arange(range.first, range.end(), float64).unsqueeze(1);                   // [count, 1]
  const auto rate = torch::exp(torch::arange(0, d_model, 2, float64) * (-std::log(10000.0) / d_model));  // [D/2]
  const auto angle = position * rate;                                                                    // [count, D/2]
  return torch::stack({angle.sin(), angle.cos()}, -1).view({range.count, d_model});                      // [count, D]
}

torch::Tensor Sinusoidal::rows(PositionRange range, const torch::TensorOptions& like) {
  const std::lock_guard lock(mutex_);
  if (!table_.defined() || table_.size(0) < range.end() || table_.dtype() != like.dtype() ||
      table_.device() != like.device()) {
    const int64_t longest = std::max<int64_t>(256, 2 * range.end());
    table_ = sinusoidal_table({0, longest}, d_model_).to(like);
  }
  return table_.narrow(0, range.first, range.count);
}

torch::Tensor Sinusoidal::embed(const torch::Tensor& x, PositionRange range) {
  return x + rows(range, x.options());
}

std::shared_ptr<Positions> make_sinusoidal(const PositionOptions&, const TransformerOptions& model, Stack) {
  return std::make_shared<Sinusoidal>(model.d_model);
}

}  // namespace attnlab::modules
