#pragma once
/// LibTorch's scaled_dot_product_attention, which never holds the matrix of weights. It gives no weights, and our
/// dropout cannot enter it.

#include <memory>

#include "modules/attention/kernel.h"

namespace attnlab::modules {

class FusedKernel : public AttentionKernel {
 public:
  Attended forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                   const AttentionCall& call) override;
};

std::shared_ptr<AttentionKernel> make_fused_kernel(const MultiHeadAttentionOptions& attention);

}  // namespace attnlab::modules
