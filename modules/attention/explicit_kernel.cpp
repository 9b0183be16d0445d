#include "modules/attention/explicit_kernel.h"

#include <cmath>

#include "modules/attention/weights.h"

namespace attnlab::modules {

Attended ExplicitKernel::forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                 const AttentionCall& call) {
  double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
  auto scores = torch::matmul(q, k.transpose(-2, -1));  // [B, H, Tq, Tk]
  if (call.bias.defined()) {
    scores = torch::add(call.bias, scores, scale);
    scale = 1.0;
  }
  const auto [weights, applied] = attention_weights(scores, scale, call);
  return {torch::matmul(applied.to(v.dtype()), v), weights, applied};  // output [B, H, Tq, d_v]
}

std::shared_ptr<AttentionKernel> make_explicit_kernel() {
  return std::make_shared<ExplicitKernel>();
}

}  // namespace attnlab::modules
