#include "modules/positions/sinusoidal.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/error.h"

namespace attnlab::modules {

const std::vector<std::string>& sinusoid_layouts() {
  static const std::vector<std::string> names = {"interleaved", "halves", "tensor2tensor"};
  return names;
}

SinusoidLayout sinusoid_layout(const std::string& name) {
  const auto& names = sinusoid_layouts();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error(
        fmt::format("positions.layout: \"{}\" is not known; expected one of {}.", name, fmt::join(names, ", ")));
  }
  return static_cast<SinusoidLayout>(found - names.begin());
}

torch::Tensor sinusoidal_table(PositionRange range, int64_t width, SinusoidLayout layout, double base) {
  const auto float64 = torch::dtype(torch::kFloat64);
  const auto position = torch::arange(range.first, range.end(), float64).unsqueeze(1);  // [count, 1]
  const int64_t pairs = width / 2;
  const bool whole_range = layout == SinusoidLayout::tensor2tensor;  // then the slowest rate is 1 / base itself
  const auto step = static_cast<double>(whole_range ? 2 * std::max<int64_t>(1, pairs - 1) : width);
  const auto rate = torch::exp(torch::arange(0, 2 * pairs, 2, float64) * (-std::log(base) / step));  // [D/2]
  const auto angle = position * rate;                                                                // [count, D/2]
  if (layout == SinusoidLayout::interleaved) {
    return torch::stack({angle.sin(), angle.cos()}, -1).view({range.count, width});  // [count, D]
  }
  return torch::cat({angle.sin(), angle.cos()}, -1);  // [count, D]
}

Sinusoidal::Sinusoidal(int64_t d_model, SinusoidLayout layout, double base)
    : table_([=](PositionRange range) { return sinusoidal_table(range, d_model, layout, base); }) {}

torch::Tensor Sinusoidal::embed(const torch::Tensor& x, PositionRange range, const torch::Tensor&) {
  return x + table_.rows(range, x.options());
}

std::shared_ptr<Positions> make_sinusoidal(const PositionOptions& options, const TransformerOptions& model, Stack) {
  return std::make_shared<Sinusoidal>(model.d_model, sinusoid_layout(options.layout), options.base);
}

}  // namespace attnlab::modules
