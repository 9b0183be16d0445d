#pragma once
/// The matrix products of a loss that is made together with its projection, for some rows of states at a time.

#include <cstdint>
#include <memory>

#include "modules/torch.h"

namespace attnlab::training {

/// Logits of states, and the way back, for one weight [V, D]. All tensors are float32 on the CPU.
class Projection {
 public:
  virtual ~Projection() = default;
  /// Rows that are best taken at a time, for so many as fit.
  virtual int64_t rows_at_a_time(int64_t fit) const = 0;
  /// `logits` [R, V] = states [R, D] * weight^T.
  virtual void project(const torch::Tensor& logits, const torch::Tensor& states) = 0;
  /// `states_gradient` [R, D] = logits_gradient [R, V] * weight, and adds these rows' part to the weight's gradient.
  virtual void project_back(const torch::Tensor& states_gradient, const torch::Tensor& states,
                            const torch::Tensor& logits_gradient) = 0;
  /// [V, D]: of all rows so far.
  virtual torch::Tensor weight_gradient() = 0;
};

/// In the numbers that `modules::linear` would use now.
std::unique_ptr<Projection> make_projection(const torch::Tensor& states, const torch::Tensor& weight);

}  // namespace attnlab::training
