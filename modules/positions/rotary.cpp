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
        return torch::complex(angle.cos(), angle.sin());
      }) {}

// A pair is a complex number, and turning it one multiplication.
torch::Tensor Rotary::rotate(const torch::Tensor& q_or_k, PositionRange range) {
  const auto options = table_options(q_or_k.options());
  const auto table =
      table_.rows(range, options.dtype(c10::toComplexType(options.dtype().toScalarType())));  // [T, d_k/2]
  const int64_t half = q_or_k.size(-1) / 2;
  const bool interleaved = layout_ == RotaryLayout::interleaved;
  const auto x = q_or_k.to(options.dtype());
  const auto pairs = interleaved ? x.unflatten(-1, {half, 2}) : x.unflatten(-1, {2, half}).transpose(-1, -2);
  auto turned = torch::view_as_real(torch::view_as_complex(pairs.contiguous()) * table);  // [B, H, T, d_k/2, 2]
  if (!interleaved) {
    turned = turned.transpose(-1, -2);
  }
  return turned.flatten(-2).to(q_or_k.dtype());  // [B, H, T, d_k]
}

std::shared_ptr<Positions> make_rotary(const PositionOptions& options, const TransformerOptions& model, Stack) {
  const auto layout = options.layout == "halves" ? RotaryLayout::halves : RotaryLayout::interleaved;
  return std::make_shared<Rotary>(model.key_width(), layout, options.base);
}

}  // namespace attnlab::modules
