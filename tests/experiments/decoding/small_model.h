#pragma once
/// A small Transformer with random weights, sharp enough that its output differs from source to source.

#include <string>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "modules/transformer.h"

namespace attnlab::decoding::test {

inline modules::Transformer small_model(const std::string& positions = "sinusoidal",
                                        const std::string& placement = "pre", uint64_t seed = 1,
                                        const std::string& norm = "layer_norm") {
  modules::TransformerOptions options;
  options.d_model = 16;
  options.heads = 2;
  options.d_ff = 32;
  options.encoder_layers = options.decoder_layers = 2;
  options.source_vocab = options.target_vocab = 12;
  options.norm.placement = placement;
  options.norm.type = norm;
  options.encoder_positions.type = options.decoder_positions.type = positions;
  modules::Transformer model(options);
  model->reset_parameters(seed);
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->parameters()) {
    if (parameter.dim() > 1) parameter.mul_(2);
  }
  return model;
}

/// Source i: some pieces that depend on i, then eos (3).
inline Ids source_of(int64_t i) {
  Ids ids;
  for (int64_t j = 0; j < 1 + (i * 7) % 11; ++j)
    ids.push_back(static_cast<int32_t>(4 + (i * 31 + j * (3 + i % 5)) % 8));
  ids.push_back(3);
  return ids;
}

}  // namespace attnlab::decoding::test
