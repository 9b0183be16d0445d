#pragma once
/// The position-wise feed-forward network (section 3.3): FFN(x) = max(0, x W_1 + b_1) W_2 + b_2.

#include <string>

#include "modules/arranged_decoder.h"
#include "modules/context.h"
#include "modules/initializer.h"
#include "modules/torch.h"

namespace attnlab::modules {

struct FeedForwardOptions {
  FeedForwardOptions(int64_t d_model_, int64_t d_ff_) : d_model(d_model_), d_ff(d_ff_) {}

  int64_t d_model;                  ///< D
  int64_t d_ff;                     ///< inner width
  std::string activation = "relu";  ///< `relu` (the paper) or `gelu` (exact, by the error function)
  double dropout = 0;               ///< rate after the activation (the paper has none there)
  double initial_scale = 1;         ///< gain of the matrices' start (DeepNorm's beta)
};

class FeedForwardImpl : public torch::nn::Module {
 public:
  /// Throws attnlab::Error for an unknown activation.
  explicit FeedForwardImpl(const FeedForwardOptions& options);
  void reset_parameters(const Initializer& initializer);

  /// `x` [..., D] -> [..., D]. With `arranged` matrices, and nothing to drop, by those.
  torch::Tensor forward(const torch::Tensor& x, Context& context, const ArrangedFeedForward* arranged = nullptr);

  /// Its matrices for steps of cached decoding.
  ArrangedFeedForward arranged() const;

 private:
  enum class Activation { relu, gelu };
  Activation activation_;
  double dropout_;
  double initial_scale_;
  torch::Tensor w_1, b_1;  // [d_ff, D], [d_ff]
  torch::Tensor w_2, b_2;  // [D, d_ff], [D]
};
TORCH_MODULE(FeedForward);

}  // namespace attnlab::modules
