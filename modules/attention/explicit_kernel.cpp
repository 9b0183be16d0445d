#include "modules/attention/explicit_kernel.h"

#include <cmath>
#include <limits>

namespace attnlab::modules {

namespace {

// Softmax over what the mask shows; a row that sees nothing becomes 0 (an ordinary softmax would make it NaN), and so
// does its gradient.
torch::Tensor visible_softmax(const torch::Tensor& scores, const torch::Tensor& mask) {
  if (!mask.defined()) {
    return scores.softmax(-1);
  }
  return at::_safe_softmax(scores.masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity()), -1);
}

}  // namespace

Attended ExplicitKernel::forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                 const AttentionCall& call) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
  auto scores = torch::matmul(q * scale, k.transpose(-2, -1));  // [B, H, Tq, Tk]
  if (call.bias.defined()) {
    scores = scores + call.bias;
  }
  Attended attended;
  attended.weights = visible_softmax(scores, call.visible.mask(q.size(-2), k.size(-2), q.device()));
  attended.applied = dropout(attended.weights, call.dropout, call.stream);
  attended.output = torch::matmul(attended.applied, v);  // [B, H, Tq, d_v]
  return attended;
}

std::shared_ptr<AttentionKernel> make_explicit_kernel() {
  return std::make_shared<ExplicitKernel>();
}

}  // namespace attnlab::modules
