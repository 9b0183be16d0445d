#include "modules/encoder.h"

#include <string>

namespace attnlab::modules {

EncoderImpl::EncoderImpl(const TransformerOptions& options) {
  const auto list = register_module("layers", torch::nn::ModuleList());
  for (int64_t layer = 0; layer < options.encoder_layers; ++layer) {
    layers.emplace_back(options, layer);
    list->push_back(layers.back());
  }
  if (auto norm = make_final_norm(options)) {
    final_norm = register_module("final_norm", norm);
  }
}

void EncoderImpl::reset_parameters(const Initializer& initializer) {
  for (size_t i = 0; i < layers.size(); ++i) {
    layers[i]->reset_parameters(initializer.at("layers").at(std::to_string(i)));
  }
  if (final_norm) {
    final_norm->reset_parameters(initializer.at("final_norm"));
  }
}

torch::Tensor EncoderImpl::forward(torch::Tensor x, const Sequence& sequence, Context& context) {
  for (auto& layer : layers) {
    x = layer->forward(x, sequence, context);
  }
  return final_norm ? final_norm->forward(x, sequence.valid_rows()) : x;
}

}  // namespace attnlab::modules
