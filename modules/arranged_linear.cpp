#include "modules/arranged_linear.h"

#include <algorithm>

#include <ATen/autocast_mode.h>

#include "modules/cpu/panel_product.h"
#include "modules/parallel.h"

namespace attnlab::modules {

namespace {

constexpr int64_t sums_of_part = 1 << 20;  // multiplications that are worth a thread

bool can_arrange(const torch::Tensor& weight) {
  return weight.is_cpu() && weight.scalar_type() == torch::kFloat32 && cpu::panel_width() > 0 &&
         !torch::GradMode::is_enabled() && !at::autocast::is_autocast_enabled(at::kCPU);
}

torch::Tensor in_panels(const torch::Tensor& weight) {
  const int64_t width = cpu::panel_width(), columns = weight.size(0), inner = weight.size(1);
  const int64_t panels = (columns + width - 1) / width;
  const int64_t missing = panels * width - columns;
  const auto whole = missing > 0 ? torch::constant_pad_nd(weight, {0, 0, 0, missing}) : weight.contiguous();
  return whole.view({panels, width, inner}).transpose(1, 2).contiguous();
}

}  // namespace

ArrangedLinear::ArrangedLinear(const torch::Tensor& weight, const torch::Tensor& bias, Then then)
    : weight_(weight), bias_(bias), then_(then) {
  if (can_arrange(weight)) {
    panels_ = in_panels(weight.detach());
  }
}

torch::Tensor ArrangedLinear::times(const torch::Tensor& x) const {
  if (!panels_.defined() || torch::GradMode::is_enabled()) {
    const auto y = torch::linear(x, weight_, bias_);
    return then_ == Then::relu ? y.relu() : y;
  }
  TORCH_CHECK(x.size(-1) == weight_.size(1), "x is ", x.sizes(), "; its rows must have ", weight_.size(1), " numbers");
  const auto rows_of_x = x.contiguous();
  auto shape = x.sizes().vec();
  shape.back() = weight_.size(0);
  const auto y = torch::empty(shape, x.options());
  const int64_t inner = weight_.size(1), rows = inner > 0 ? x.numel() / inner : 0;
  const cpu::PanelProduct product{rows,
                                  weight_.size(0),
                                  inner,
                                  rows_of_x.const_data_ptr<float>(),
                                  panels_.const_data_ptr<float>(),
                                  bias_.defined() ? bias_.const_data_ptr<float>() : nullptr,
                                  then_ == Then::relu,
                                  y.mutable_data_ptr<float>()};
  const int64_t grain = std::max<int64_t>(1, sums_of_part / std::max<int64_t>(1, rows * inner * panels_.size(2)));
  parallel_for(0, panels_.size(0), grain,
               [&](int64_t first, int64_t last) { cpu::multiply_panels(product, first, last); });
  return y;
}

}  // namespace attnlab::modules
