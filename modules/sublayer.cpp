#include "modules/sublayer.h"

#include <string>

#include "modules/norms/registry.h"
#include "modules/options_check.h"

namespace attnlab::modules {

namespace {

const PlacementVariant& placement_of(const TransformerOptions& model) {
  const auto* variant = find_placement(model.norm.placement);
  if (variant == nullptr) {
    throw unknown_placement(model.norm.placement);
  }
  return *variant;
}

std::shared_ptr<Norm> make_norm(const TransformerOptions& model) {
  const auto* variant = find_norm(model.norm.type);
  if (variant == nullptr) {
    throw unknown_norm(model.norm.type);
  }
  return variant->make(model.norm, model.d_model);
}

std::string norm_name(size_t which, size_t count) {
  return count == 1 ? "norm" : "norm_" + std::to_string(which + 1);
}

}  // namespace

AddNormImpl::AddNormImpl(const TransformerOptions& model, Stack stack)
    : dropout_(model.dropout.residual), residual_scale_(placement_scales(model, stack).residual) {
  const auto& variant = placement_of(model);
  placement_ = variant.make(model, stack);
  const auto count = static_cast<size_t>(variant.traits.norms);
  for (size_t i = 0; i < count; ++i) {
    norms_.push_back(register_module(norm_name(i, count), make_norm(model)));
  }
}

void AddNormImpl::reset_parameters(const Initializer& initializer) {
  for (size_t i = 0; i < norms_.size(); ++i) {
    norms_[i]->reset_parameters(initializer.at(norm_name(i, norms_.size())));
  }
}

torch::Tensor AddNormImpl::forward(const torch::Tensor& x,
                                   const std::function<torch::Tensor(const torch::Tensor&)>& sublayer,
                                   const torch::Tensor& valid, Context& context) {
  const auto add = [&](const torch::Tensor& residual, const torch::Tensor& output) {
    return add_dropout(residual_scale_ == 1 ? residual : residual * residual_scale_, output, dropout_, context.dropout);
  };
  return placement_->apply(x, {sublayer, add, &norms_, valid});
}

std::shared_ptr<Norm> make_final_norm(const TransformerOptions& model) {
  return placement_of(model).traits.final_norm ? make_norm(model) : nullptr;
}

}  // namespace attnlab::modules
