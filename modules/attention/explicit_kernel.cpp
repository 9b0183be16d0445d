#include "modules/attention/explicit_kernel.h"

#include <cmath>

namespace attnlab::modules {

AttentionWeights explicit_weights(const torch::Tensor& q, const torch::Tensor& k, const AttentionCall& call) {
  double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
  auto scores = torch::matmul(q, k.transpose(-2, -1));  // [B, H, Tq, Tk]
  if (call.bias.defined()) {
    scores = torch::add(call.bias, scores, scale);
    scale = 1.0;
  }
  return attention_weights(scores, scale, call);
}

Attended ExplicitKernel::forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                 const AttentionCall& call) {
  const auto [weights, applied] = explicit_weights(q, k, call);
  return {torch::matmul(applied.to(v.dtype()), v), weights, applied};  // output [B, H, Tq, d_v]
}

std::shared_ptr<AttentionKernel> make_explicit_kernel(const MultiHeadAttentionOptions&) {
  return std::make_shared<ExplicitKernel>();
}

}  // namespace attnlab::modules
