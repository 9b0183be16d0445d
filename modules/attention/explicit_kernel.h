#pragma once
/// The kernel that writes the formula out and holds every weight. It can do everything and is the oracle of all other
/// kernels.

#include <memory>

#include "modules/attention/kernel.h"
#include "modules/attention/weights.h"

namespace attnlab::modules {

class ExplicitKernel : public AttentionKernel {
 public:
  Attended forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                   const AttentionCall& call) override;
};

std::shared_ptr<AttentionKernel> make_explicit_kernel(const MultiHeadAttentionOptions& attention);

/// The weights alone, under the call's bias, mask and dropout. `q` [B, H, Tq, d_k], `k` [B, H, Tk, d_k].
AttentionWeights explicit_weights(const torch::Tensor& q, const torch::Tensor& k, const AttentionCall& call);

}  // namespace attnlab::modules
