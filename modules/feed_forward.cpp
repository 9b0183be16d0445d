#include "modules/feed_forward.h"

#include "modules/options_check.h"

namespace attnlab::modules {

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& options)
    : activation_(options.activation == "gelu" ? Activation::gelu : Activation::relu),
      dropout_(options.dropout),
      initial_scale_(options.initial_scale) {
  if (options.activation != "gelu" && options.activation != "relu") {
    throw unknown_activation(options.activation);
  }
  w_1 = register_parameter("w_1", torch::zeros({options.d_ff, options.d_model}));
  b_1 = register_parameter("b_1", torch::zeros(options.d_ff));
  w_2 = register_parameter("w_2", torch::zeros({options.d_model, options.d_ff}));
  b_2 = register_parameter("b_2", torch::zeros(options.d_model));
}

void FeedForwardImpl::reset_parameters(const Initializer& initializer) {
  initializer.xavier_uniform(w_1, "w_1", initial_scale_);
  initializer.xavier_uniform(w_2, "w_2", initial_scale_);
  const torch::NoGradGuard no_grad;
  b_1.zero_();
  b_2.zero_();
}

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x, Context& context, LayerCache* cache) {
  if (cache != nullptr && context.dropout == nullptr) {
    return forward_cached(x, *cache);
  }
  const auto inner = torch::linear(x, w_1, b_1);  // [..., d_ff]
  const auto active = activation_ == Activation::relu ? relu_dropout(inner, dropout_, context.dropout)
                                                      : dropout(torch::gelu(inner), dropout_, context.dropout);
  return torch::linear(active, w_2, b_2);
}

torch::Tensor FeedForwardImpl::forward_cached(const torch::Tensor& x, LayerCache& cache) const {
  const bool relu = activation_ == Activation::relu;
  if (!cache.ffn_inner.defined()) {
    cache.ffn_inner = Prepacked(w_1, b_1, relu ? Prepacked::Then::relu : Prepacked::Then::nothing);
    cache.ffn_outer = Prepacked(w_2, b_2);
  }
  const auto inner = cache.ffn_inner.times(x);  // [..., d_ff]
  return cache.ffn_outer.times(relu ? inner : torch::gelu(inner));
}

}  // namespace attnlab::modules
