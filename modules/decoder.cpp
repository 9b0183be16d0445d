#include "modules/decoder.h"

#include <string>

namespace attnlab::modules {

DecoderImpl::DecoderImpl(const TransformerOptions& options) {
  const auto list = register_module("layers", torch::nn::ModuleList());
  for (int64_t layer = 0; layer < options.decoder_layers; ++layer) {
    layers.emplace_back(options, layer);
    list->push_back(layers.back());
  }
  if (auto norm = make_final_norm(options)) {
    final_norm = register_module("final_norm", norm);
  }
}

void DecoderImpl::reset_parameters(const Initializer& initializer) {
  for (size_t i = 0; i < layers.size(); ++i) {
    layers[i]->reset_parameters(initializer.at("layers").at(std::to_string(i)));
  }
  if (final_norm) {
    final_norm->reset_parameters(initializer.at("final_norm"));
  }
}

torch::Tensor DecoderImpl::forward(torch::Tensor x, const Sequence& sequence, const torch::Tensor& memory,
                                   const Visible& memory_visible, DecoderCache* cache, Context& context) {
  if (cache != nullptr) {
    cache->begin_step(x.size(0), x.size(1), memory.size(1), x.device());
  }
  for (size_t i = 0; i < layers.size(); ++i) {
    x = layers[i]->forward(x, sequence, memory, memory_visible, cache != nullptr ? &cache->layer(i) : nullptr, context);
  }
  return final_norm ? final_norm->forward(x, sequence.valid_rows()) : x;
}

std::vector<ArrangedLayer> DecoderImpl::arranged() const {
  std::vector<ArrangedLayer> arranged;
  for (const auto& layer : layers) {
    arranged.push_back(layer->arranged());
  }
  return arranged;
}

}  // namespace attnlab::modules
