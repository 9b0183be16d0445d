#include "modules/norms/row_length.h"

#include <algorithm>

#include "modules/parallel.h"

namespace attnlab::modules {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t rows_of_part = 64;  // rows whose parts of the gain's gradient are summed first

template <class Number>
void divide_rows(const Tensor& out, const Tensor& inverse, const Tensor& x, const Tensor& gain,
                 const cpu::LengthRows& rows) {
  parallel_for(0, inverse.numel(), rows_of_part, [&](int64_t begin, int64_t end) {
    cpu::divide_by_length(out.mutable_data_ptr<Number>(), inverse.mutable_data_ptr<Number>(),
                          x.const_data_ptr<Number>(), gain.const_data_ptr<Number>(), begin, end, rows);
  });
}

// `parts` [n, D], zeros: the gain's gradient in parts of `rows_of_part` rows, so that its sum has the same order for
// every number of threads.
template <class Number>
void divide_rows_backward(const Tensor& of_x, const Tensor& parts, const Tensor& of_output, const Tensor& x,
                          const Tensor& gain, const Tensor& inverse, const cpu::LengthRows& rows) {
  auto* of_gain = parts.mutable_data_ptr<Number>();
  parallel_for(0, parts.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      cpu::divide_by_length_backward(of_x.mutable_data_ptr<Number>(), of_gain + i * rows.width,
                                     of_output.const_data_ptr<Number>(), x.const_data_ptr<Number>(),
                                     gain.const_data_ptr<Number>(), inverse.const_data_ptr<Number>(), i * rows_of_part,
                                     std::min((i + 1) * rows_of_part, inverse.numel()), rows);
    }
  });
}

struct DivideByLength : torch::autograd::Function<DivideByLength> {
  static Tensor forward(AutogradContext* context, const Tensor& given, const Tensor& given_gain,
                        const cpu::LengthRows& rows) {
    const auto x = given.contiguous(), gain = given_gain.contiguous(), out = torch::empty_like(x);
    const auto inverse = torch::empty({x.numel() / rows.width}, x.options());
    const auto forward = x.scalar_type() == torch::kFloat64 ? divide_rows<double> : divide_rows<float>;
    forward(out, inverse, x, gain, rows);
    context->save_for_backward({x, gain, inverse});
    context->saved_data["euclidean"] = rows.rule == cpu::LengthRule::euclidean;
    context->saved_data["epsilon"] = rows.epsilon;
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &gain = saved[1], &inverse = saved[2];
    const auto rule =
        context->saved_data["euclidean"].toBool() ? cpu::LengthRule::euclidean : cpu::LengthRule::root_mean_square;
    const cpu::LengthRows rows{x.size(-1), rule, context->saved_data["epsilon"].toDouble()};
    const auto of_output = gradients[0].contiguous(), of_x = torch::empty_like(x);
    const auto parts = torch::zeros({(inverse.numel() + rows_of_part - 1) / rows_of_part, rows.width}, x.options());
    const auto backward =
        x.scalar_type() == torch::kFloat64 ? divide_rows_backward<double> : divide_rows_backward<float>;
    backward(of_x, parts, of_output, x, gain, inverse, rows);
    return {of_x, parts.sum(0), {}};
  }
};

Tensor by_operations(const Tensor& x, const Tensor& gain, cpu::LengthRule rule, double epsilon) {
  if (rule == cpu::LengthRule::root_mean_square) {
    return torch::rms_norm(x, {x.size(-1)}, gain, epsilon);
  }
  return x / x.norm(2, -1, /*keepdim=*/true).clamp_min(epsilon) * gain;
}

}  // namespace

Tensor divide_by_length(const Tensor& x, const Tensor& gain, cpu::LengthRule rule, double epsilon) {
  const auto type = torch::promote_types(x.scalar_type(), gain.scalar_type());
  const bool wide = type == torch::kFloat32 || type == torch::kFloat64;
  if (!wide || !x.is_cpu()) {
    const auto inner = wide ? type : torch::kFloat32;
    return by_operations(x.to(inner), gain.to(inner), rule, epsilon).to(type);
  }
  return DivideByLength::apply(x.to(type), gain.to(type), cpu::LengthRows{x.size(-1), rule, epsilon});
}

}  // namespace attnlab::modules
