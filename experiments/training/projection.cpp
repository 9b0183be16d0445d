#include "experiments/training/projection.h"

#include "modules/bf16_product.h"
#include "modules/linear.h"

namespace attnlab::training {
namespace {

class FloatProjection : public Projection {
 public:
  explicit FloatProjection(const torch::Tensor& weight) : weight_(weight), transposed_(weight.t()) {}

  int64_t rows_at_a_time(int64_t fit) const override { return fit; }

  void project(const torch::Tensor& logits, const torch::Tensor& states) override {
    torch::Tensor out = logits;
    at::mm_out(out, states, transposed_);
  }

  void project_back(const torch::Tensor& states_gradient, const torch::Tensor& states,
                    const torch::Tensor& logits_gradient) override {
    torch::Tensor out = states_gradient;
    at::mm_out(out, logits_gradient, weight_);
    gradient_ =
        gradient_.defined() ? gradient_.addmm_(states.t(), logits_gradient) : at::mm(states.t(), logits_gradient);
  }

  torch::Tensor weight_gradient() override {
    return gradient_.defined() ? gradient_.t().contiguous() : torch::zeros_like(weight_);
  }

 private:
  torch::Tensor weight_, transposed_;
  torch::Tensor gradient_;  // [D, V]: the product is up to a third faster than into [V, D]
};

class Bf16Projection : public Projection {
 public:
  explicit Bf16Projection(const torch::Tensor& weight)
      : forward_(modules::Bf16Factor::transposed(weight)),
        backward_(modules::Bf16Factor::of(weight)),
        gradient_(torch::empty({weight.size(1), weight.size(0)}, weight.options())) {}

  int64_t rows_at_a_time(int64_t fit) const override { return fit / kWholeBlocks * kWholeBlocks; }

  void project(const torch::Tensor& logits, const torch::Tensor& states) override {
    modules::multiply(logits, states, forward_);
  }

  void project_back(const torch::Tensor& states_gradient, const torch::Tensor& states,
                    const torch::Tensor& logits_gradient) override {
    modules::multiply(states_gradient, logits_gradient, backward_);
    modules::multiply_transposed(gradient_, states, logits_gradient, /*add=*/begun_);
    begun_ = true;
  }

  torch::Tensor weight_gradient() override { return (begun_ ? gradient_ : gradient_.zero_()).t().contiguous(); }

 private:
  static constexpr int64_t kWholeBlocks = 256;  // rows that gradients of weights sum at once

  modules::Bf16Factor forward_, backward_;
  torch::Tensor gradient_;  // [D, V], so that it is the states that are transposed, not the far more logits
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Projection> make_projection(const torch::Tensor& states, const torch::Tensor& weight) {
  if (modules::Bf16Products::serve(states, weight)) return std::make_unique<Bf16Projection>(weight.contiguous());
  return std::make_unique<FloatProjection>(weight);
}

}  // namespace attnlab::training
