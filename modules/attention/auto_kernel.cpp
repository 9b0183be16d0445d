#include "modules/attention/auto_kernel.h"

#include "modules/attention/route.h"

namespace attnlab::modules {

Attended AutoKernel::forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                             const AttentionCall& call) {
  return takes_fused(call) ? fused.forward(q, k, v, call) : explicit_kernel.forward(q, k, v, call);
}

std::shared_ptr<AttentionKernel> make_auto_kernel(const MultiHeadAttentionOptions&) {
  return std::make_shared<AutoKernel>();
}

}  // namespace attnlab::modules
