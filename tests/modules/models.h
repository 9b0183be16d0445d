#pragma once
/// Small models of every variant, for the tests of the whole Transformer.

#include <string>
#include <vector>

#include "modules/attention/registry.h"
#include "modules/norms/registry.h"
#include "modules/options_check.h"
#include "modules/positions/registry.h"
#include "modules/transformer.h"
#include "tests/modules/support.h"

namespace attnlab::modules::testing {

inline Transformer built(const TransformerOptions& options, torch::ScalarType dtype = torch::kFloat64,
                         uint64_t seed = 1) {
  Transformer model(options);
  model->reset_parameters(seed);
  model->to(dtype);
  const torch::NoGradGuard no_grad;
  double phase = 0.4;
  for (auto& statistic : model->buffers()) {  // as if trained
    statistic.add_(scattered(statistic.sizes().vec(), phase += 1.3).to(dtype) * 0.3);
  }
  model->eval();
  return model;
}

/// Every norm in every placement.
inline std::vector<TransformerOptions> norms_and_placements() {
  std::vector<TransformerOptions> all;
  for (const auto& norm : norm_variants()) {
    for (const auto& placement : placement_variants()) {
      auto options = small_options();
      options.norm.type = norm.name;
      options.norm.placement = placement.name;
      all.push_back(options);
    }
  }
  return all;
}

/// Every position method, norm, placement and kernel that fit together, in small models.
inline std::vector<TransformerOptions> variants() {
  std::vector<TransformerOptions> all;
  for (const auto& positions : position_variants()) {
    for (const auto* placement : {"post", "pre"}) {
      for (const auto& kernel : attention_variants()) {
        auto options = small_options();
        options.encoder_positions.type = options.decoder_positions.type = positions.name;
        options.norm.placement = placement;
        options.attention = kernel.name;
        if (problems(options).empty()) {
          all.push_back(options);
        }
      }
    }
  }
  auto widths = small_options();
  widths.d_k = 3;
  widths.d_v = 5;
  widths.attention_bias = true;
  all.push_back(widths);
  for (const auto& options : norms_and_placements()) {
    all.push_back(options);
  }
  for (const auto& positions : position_variants()) {  // reach the ends of their tables
    if (!positions.traits.bias) {
      continue;
    }
    auto near = small_options();
    near.encoder_positions.type = near.decoder_positions.type = positions.name;
    near.encoder_positions.max_distance = near.decoder_positions.max_distance = 5;
    near.encoder_positions.buckets = near.decoder_positions.buckets = 8;
    near.d_k = 3;
    near.d_v = 5;
    all.push_back(near);
  }
  auto unlike = small_options();
  unlike.encoder_positions.type = "t5";
  unlike.decoder_positions.type = "rotary";
  unlike.decoder_positions.layout = "halves";
  all.push_back(unlike);
  auto stretched = small_options();
  stretched.encoder_positions.type = "hybrid";
  stretched.encoder_positions.max_length = 3;
  stretched.encoder_positions.beyond = "interpolate";
  stretched.decoder_positions.type = "learned";
  stretched.decoder_positions.max_length = 6;
  stretched.decoder_positions.beyond = "clamp";
  all.push_back(stretched);
  return all;
}

inline std::string name_of(const TransformerOptions& o) {
  return o.encoder_positions.type + ", " + o.decoder_positions.type + ", " + o.norm.type + ", " + o.norm.placement +
         ", " + o.attention;
}

}  // namespace attnlab::modules::testing
