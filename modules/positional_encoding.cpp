#include "modules/positional_encoding.h"

#include "modules/options_check.h"

namespace attnlab::modules {

namespace {

const PositionVariant& variant_of(const PositionOptions& options) {
  const auto* variant = find_positions(options.type);
  if (variant == nullptr) {
    throw unknown_positions(options.type);
  }
  return *variant;
}

}  // namespace

PositionalEncodingImpl::PositionalEncodingImpl(const PositionOptions& options, const TransformerOptions& model,
                                               Stack stack)
    : traits_(variant_of(options).traits) {
  method = register_module("method", variant_of(options).make(options, model, stack));
}

void PositionalEncodingImpl::reset_parameters(const Initializer& initializer) {
  method->reset_parameters(initializer.at("method"));
}

}  // namespace attnlab::modules
