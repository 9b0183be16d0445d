#include "modules/positions/rotary.h"

#include <cmath>

namespace attnlab::modules {

const std::vector<std::string>& rotary_layouts() {
  static const std::vector<std::string> names = {"interleaved", "halves"};
  return names;
}

Rotary::Rotary(int64_t d_k, RotaryLayout layout, double base)
    : layout_(layout), table_([d_k, base](PositionRange range) {
        const auto float64 = torch::dtype(torch::kFloat64);
        const auto rate = torch::exp(torch::arange(0, d_k, 2, float64) * (-std::log(base) / static_cast<double>(d_k)));
        const auto angle = torch::arange(range.first, range.end(), float64).unsqueeze(1) * rate;  // [count, d_k/2]
        return torch::stack({angle.cos(), angle.sin()}, 1);
      }) {}

torch::Tensor Rotary::rotate(const torch::Tensor& q_or_k, PositionRange range) {
  const auto table = table_.rows(range, table_options(q_or_k.options()));  // [T, 2, d_k/2]
  const auto cosine = table.select(1, 0), sine = table.select(1, 1);       // [T, d_k/2]
  const int64_t half = q_or_k.size(-1) / 2;
  const bool interleaved = layout_ == RotaryLayout::interleaved;
  const auto pairs = interleaved ? q_or_k.unflatten(-1, {half, 2}) : q_or_k.unflatten(-1, {2, half});
  const int64_t which = interleaved ? -1 : -2;  // the dimension that tells the two of a pair apart
  const auto a = pairs.select(which, 0), b = pairs.select(which, 1);  // [B, H, T, d_k/2]
  const auto turned = torch::stack({a * cosine - b * sine, b * cosine + a * sine}, which);
  return turned.flatten(-2).to(q_or_k.dtype());  // [B, H, T, d_k]
}

std::shared_ptr<Positions> make_rotary(const PositionOptions& options, const TransformerOptions& model, Stack) {
  const auto layout = options.layout == "halves" ? RotaryLayout::halves : RotaryLayout::interleaved;
  return std::make_shared<Rotary>(model.key_width(), layout, options.base);
}

}  // namespace attnlab::modules
