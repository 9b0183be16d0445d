#include "modules/positions/hybrid.h"

#include <cmath>

#include <fmt/format.h>

namespace attnlab::modules {

int64_t hybrid_width(const PositionOptions& options, int64_t d_model) {
  return options.sinusoidal_width > 0 ? options.sinusoidal_width : d_model / 4 * 2;
}

Hybrid::Hybrid(const PositionOptions& options, int64_t d_model)
    : d_model_(d_model),
      beyond_(beyond_policy(options.beyond)),
      sinusoids_([width = hybrid_width(options, d_model), layout = sinusoid_layout(options.layout),
                  base = options.base](PositionRange range) { return sinusoidal_table(range, width, layout, base); }) {
  table = register_parameter("table", torch::zeros({options.max_length, d_model - hybrid_width(options, d_model)}));
}

void Hybrid::reset_parameters(const Initializer& initializer) {
  initializer.normal(table, "table", 1.0 / std::sqrt(static_cast<double>(d_model_)));
}

torch::Tensor Hybrid::embed(const torch::Tensor& x, PositionRange range, const torch::Tensor& valid) {
  auto fixed = sinusoids_.rows(range, x.options());               // [T, width]
  const auto learned = table_rows(table, beyond_, range, valid);  // [T, D - width] or [B, T, D - width]
  if (learned.dim() == 3) {
    fixed = fixed.expand({learned.size(0), -1, -1});
  }
  return x + torch::cat({fixed, learned}, -1);
}

std::shared_ptr<Positions> make_hybrid(const PositionOptions& options, const TransformerOptions& model, Stack) {
  return std::make_shared<Hybrid>(options, model.d_model);
}

int64_t hybrid_size(const PositionOptions& options, const TransformerOptions& model, Stack) {
  return options.max_length * (model.d_model - hybrid_width(options, model.d_model));
}

std::vector<std::string> hybrid_problems(const PositionOptions& options, const TransformerOptions& model, Stack) {
  const int64_t width = hybrid_width(options, model.d_model);
  if (width < 2 && options.sinusoidal_width == 0) {
    return {
        fmt::format("type: \"hybrid\" needs a d_model of at least 4 to have room for sinusoids and learned numbers, "
                    "got {}; set sinusoidal_width, or choose another method.",
                    model.d_model)};
  }
  if (width % 2 != 0) {
    return {fmt::format("sinusoidal_width: expected an even number (sines and cosines come in pairs), got {}.", width)};
  }
  if (width >= model.d_model) {
    return {fmt::format("sinusoidal_width: {} leaves nothing to learn of d_model {}; lower it, or use \"sinusoidal\".",
                        width, model.d_model)};
  }
  return {};
}

}  // namespace attnlab::modules
