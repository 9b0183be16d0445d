#include "modules/linear.h"

#include <optional>

#include "modules/bf16_product.h"

namespace attnlab::modules {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

thread_local bool in_force = false;

Tensor as_rows(const Tensor& x) {
  return x.contiguous().view({-1, x.size(-1)});
}

struct Bf16Linear : torch::autograd::Function<Bf16Linear> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias) {
    const auto rows = as_rows(x);  // [R, K]
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    const auto y = torch::empty(shape, x.options());
    multiply(as_rows(y), rows, Bf16Factor::transposed(weight.contiguous()), bias.value_or(Tensor()));
    context->save_for_backward({x, weight});
    context->saved_data["bias"] = bias.has_value();
    return y;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], weight = saved[1].contiguous();
    const auto of_y = as_rows(gradients[0]);  // [R, N]
    Tensor of_x, of_weight, of_bias;
    if (context->needs_input_grad(0)) {
      of_x = torch::empty_like(x, x.options(), torch::MemoryFormat::Contiguous);
      multiply(as_rows(of_x), of_y, Bf16Factor::of(weight));
    }
    if (context->needs_input_grad(1)) {
      of_weight = torch::empty_like(weight);
      multiply_transposed(of_weight, of_y, as_rows(x), /*add=*/false);
    }
    if (context->saved_data["bias"].toBool()) {
      of_bias = of_y.sum(0);
    }
    return {of_x, of_weight, of_bias};
  }
};

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (!Bf16Products::serve(x, weight)) {
    return torch::linear(x, weight, bias);
  }
  return Bf16Linear::apply(x, weight, bias.defined() ? std::optional<Tensor>(bias) : std::nullopt);
}

Bf16Products::Bf16Products() : before_(in_force) {
  TORCH_CHECK(has_bf16_products(), "this processor has no products of bfloat16");
  in_force = true;
}

Bf16Products::~Bf16Products() {
  in_force = before_;
}

bool Bf16Products::serve(const Tensor& x, const Tensor& weight) {
  return in_force && x.is_cpu() && x.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32;
}

}  // namespace attnlab::modules
