#include "modules/feed_forward.h"

#include "modules/linear.h"
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

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x, Context& context, const ArrangedFeedForward* arranged) {
  if (arranged != nullptr && context.dropout == nullptr) {
    const auto inner = arranged->inner.times(x);  // [..., d_ff]
    return arranged->outer.times(activation_ == Activation::relu ? inner : torch::gelu(inner));
  }
  const auto inner = modules::linear(x, w_1, b_1);  // [..., d_ff]
  const auto active = activation_ == Activation::relu ? relu_dropout(inner, dropout_, context.dropout)
                                                      : dropout(torch::gelu(inner), dropout_, context.dropout);
  return modules::linear(active, w_2, b_2);
}

ArrangedFeedForward FeedForwardImpl::arranged() const {
  using Then = ArrangedLinear::Then;
  return {ArrangedLinear(w_1, b_1, activation_ == Activation::relu ? Then::relu : Then::nothing),
          ArrangedLinear(w_2, b_2)};
}

}  // namespace attnlab::modules
