#include "modules/positional_encoding.h"

#include "modules/options_check.h"
#include "modules/positions/registry.h"

namespace attnlab::modules {

PositionalEncodingImpl::PositionalEncodingImpl(const PositionOptions& options, const TransformerOptions& model,
                                               Stack stack) {
  const auto* variant = find_positions(options.type);
  if (variant == nullptr) {
    throw unknown_positions(options.type);
  }
  method = register_module("method", variant->make(options, model, stack));
}

void PositionalEncodingImpl::reset_parameters(const Initializer& initializer) {
  method->reset_parameters(initializer.at("method"));
}

}  // namespace attnlab::modules
