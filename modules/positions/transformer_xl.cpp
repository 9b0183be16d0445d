#include "modules/positions/transformer_xl.h"

#include <cmath>

#include "modules/positions/relative.h"

namespace attnlab::modules {

namespace {

GrowingTable::Make backwards(int64_t width, SinusoidLayout layout, double base) {
  return [=](PositionRange distances) {
    return sinusoidal_table({1 - distances.end(), distances.count}, width, layout, base).flip(0);
  };
}

}  // namespace

TransformerXl::TransformerXl(const PositionOptions& options, const TransformerOptions& model, Stack stack)
    : sinusoids_(backwards(model.d_model, sinusoid_layout(options.layout), options.base)) {
  const int64_t heads = model.heads, d_k = model.key_width();
  w_r = layer_matrices(register_module("w_r", torch::nn::ParameterList()), layers_of(model, stack), heads * d_k,
                       model.d_model);
  u = register_parameter("u", torch::zeros({heads, d_k}));
  v = register_parameter("v", torch::zeros({heads, d_k}));
}

void TransformerXl::reset_parameters(const Initializer& initializer) {
  reset_layer_matrices(w_r, initializer.at("w_r"));
  const torch::NoGradGuard no_grad;
  u.detach().zero_();
  v.detach().zero_();
}

torch::Tensor TransformerXl::bias(int64_t layer, const torch::Tensor& q, const torch::Tensor& k, PositionRange queries,
                                  PositionRange keys) {
  const auto& projection = w_r[static_cast<size_t>(layer)];
  const auto r = torch::linear(sinusoids_.rows(distances(queries, keys), projection.options()), projection)
                     .unflatten(-1, u.sizes());  // [W, H, d_k]
  const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
  // Each head once for the whole batch: a broadcast product would copy r for every sentence.
  const auto position = torch::einsum("bhic,whc->bhiw", {q + v.unsqueeze(1), r * scale});  // [B, H, Tq, W]
  const auto content = torch::einsum("bhjc,hc->bhj", {k, u * scale});                      // [B, H, Tk]
  return from_distances(position, queries.count, keys.count) + content.unsqueeze(-2);      // [B, H, Tq, Tk]
}

std::shared_ptr<Positions> make_transformer_xl(const PositionOptions& options, const TransformerOptions& model,
                                               Stack stack) {
  return std::make_shared<TransformerXl>(options, model, stack);
}

int64_t transformer_xl_size(const PositionOptions&, const TransformerOptions& model, Stack stack) {
  const int64_t width = model.heads * model.key_width();
  return layers_of(model, stack) * width * model.d_model + 2 * width;
}

}  // namespace attnlab::modules
