#pragma once
/// Adam and AdamW over a model's flat parameters, by torch's fused kernels: one pass over memory a step.

#include "experiments/spec/run_config.h"
#include "experiments/training/parameters.h"
#include "modules/torch.h"

namespace attnlab::training {

/// Adam (Kingma & Ba 2015) with bias correction; `adamw` decouples the weight decay (Loshchilov & Hutter 2019), `adam`
/// adds it to the gradient. Weight decay touches matrices only: biases and norm gains are left alone.
class Adam {
 public:
  /// `parameters` must outlive the optimizer. Throws attnlab::Error for an unknown `config.type`.
  Adam(FlatParameters& parameters, const spec::OptimizerConfig& config);

  /// One update with the gradient divided by `divisor` (a number: tokens of the step, and whatever clipping asks for),
  /// at the rate `rate`; none, and no step counted, where `fails` (a bool) is true. Both are on the parameters' device,
  /// which is not waited for.
  void step(double rate, const torch::Tensor& divisor, const torch::Tensor& fails);

  /// The moments by parameter name; they share memory with the optimizer.
  checkpoint::NamedTensors first_moments() const { return parameters_.parts(first_); }
  checkpoint::NamedTensors second_moments() const { return parameters_.parts(second_); }

  /// How many updates the moments have seen: needed by the bias correction after a resume.
  void set_steps(int64_t steps);

 private:
  void step_range(int64_t begin, int64_t end, double rate, double weight_decay, torch::Tensor& steps);

  FlatParameters& parameters_;
  spec::OptimizerConfig config_;
  torch::Tensor first_, second_;               // m, v: [n]
  torch::Tensor matrix_steps_, vector_steps_;  // the kernel counts in float tensors, one for each range
  torch::Tensor divisor_, fails_;              // of the step at hand, as the kernel takes them
};

}  // namespace attnlab::training
