#include "modules/prepacked.h"

#include <optional>

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>

namespace attnlab::modules {

namespace {

using Operator = std::optional<c10::OperatorHandle>;

// LibTorch has these operators for its compiler; builds without oneDNN lack them.
const Operator& reorder_operator() {
  static const Operator found = c10::Dispatcher::singleton().findSchema({"mkldnn::_reorder_linear_weight", ""});
  return found;
}

const Operator& linear_operator() {
  static const Operator found = c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
  return found;
}

bool is_intel() {
#if defined(__x86_64__)
  return __builtin_cpu_is("intel");
#else
  return false;
#endif
}

bool pays(const torch::Tensor& weight) {
  return weight.is_cpu() && weight.scalar_type() == torch::kFloat32 && !torch::GradMode::is_enabled() &&
         !at::autocast::is_autocast_enabled(at::kCPU) && !is_intel() && reorder_operator() && linear_operator();
}

torch::Tensor call(const c10::OperatorHandle& handle, torch::jit::Stack arguments) {
  handle.callBoxed(&arguments);
  return arguments.at(0).toTensor();
}

}  // namespace

Prepacked::Prepacked(const torch::Tensor& weight, int64_t rows) : weight_(weight) {
  if (rows > 0 && pays(weight)) packed_ = call(*reorder_operator(), {weight.detach(), rows});
}

torch::Tensor Prepacked::times(const torch::Tensor& x) const {
  if (!packed_.defined()) return torch::linear(x, weight_);
  const c10::List<std::optional<at::Scalar>> no_scalars;
  return call(*linear_operator(), {x, packed_, c10::IValue(), "none", no_scalars, c10::IValue()});
}

}  // namespace attnlab::modules
