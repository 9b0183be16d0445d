#include "modules/norms/deep_norm.h"

#include <cmath>

namespace attnlab::modules {

PlacementScales deep_norm_scales(const TransformerOptions& model, Stack stack) {
  const auto n = static_cast<double>(model.encoder_layers), m = static_cast<double>(model.decoder_layers);
  if (stack == Stack::decoder) {
    return {std::pow(3 * m, 0.25), std::pow(12 * m, -0.25)};
  }
  const double depth = std::pow(std::pow(n, 4) * m, 1.0 / 16);
  return {0.81 * depth, 0.87 / depth};
}

}  // namespace attnlab::modules
