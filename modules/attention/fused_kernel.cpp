#include "modules/attention/fused_kernel.h"

#include <optional>

namespace attnlab::modules {

Attended FusedKernel::forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                              const AttentionCall& call) {
  const int64_t queries = q.size(-2), keys = k.size(-2);
  // LibTorch's own triangle is aligned to the top left: right only when queries and keys are the same positions.
  const bool triangle = call.visible.causal() && !call.visible.keys().defined() && queries == keys && queries > 1;
  std::optional<torch::Tensor> mask;
  if (!triangle) {
    const auto shown = call.visible.mask(queries, keys, q.device());
    if (shown.defined()) {
      mask = shown.expand({q.size(0), 1, queries, keys});
    }
  }
  Attended attended;
  attended.output = at::scaled_dot_product_attention(q, k, v, mask, /*dropout_p=*/0.0, /*is_causal=*/triangle);
  return attended;
}

std::shared_ptr<AttentionKernel> make_fused_kernel() {
  return std::make_shared<FusedKernel>();
}

}  // namespace attnlab::modules
