#include "modules/attention/fused_kernel.h"

#include <limits>
#include <optional>

namespace attnlab::modules {

namespace {

// What may be seen as LibTorch takes it: a bool mask, or a bias that is -inf where nothing may be seen.
std::optional<torch::Tensor> mask_of_call(const torch::Tensor& q, int64_t keys, const AttentionCall& call) {
  const int64_t queries = q.size(-2);
  auto mask = call.visible.mask(queries, keys, q.device());
  if (call.bias.defined()) {
    const auto bias = call.bias.to(q.dtype());
    mask = mask.defined() ? bias.masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity()) : bias;
    return mask.expand({q.size(0), q.size(1), queries, keys});
  }
  if (!mask.defined()) {
    return std::nullopt;
  }
  return mask.expand({q.size(0), 1, queries, keys});
}

}  // namespace

Attended FusedKernel::forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                              const AttentionCall& call) {
  const int64_t queries = q.size(-2), keys = k.size(-2);
  // LibTorch's own triangle is aligned to the top left: right only when queries and keys are the same positions.
  const bool triangle =
      call.visible.causal() && !call.visible.keys().defined() && !call.bias.defined() && queries == keys && queries > 1;
  const auto mask = triangle ? std::nullopt : mask_of_call(q, keys, call);
  Attended attended;
  attended.output = at::scaled_dot_product_attention(q, k, v, mask, /*dropout_p=*/0.0, /*is_causal=*/triangle);
  return attended;
}

std::shared_ptr<AttentionKernel> make_fused_kernel(const MultiHeadAttentionOptions&) {
  return std::make_shared<FusedKernel>();
}

}  // namespace attnlab::modules
