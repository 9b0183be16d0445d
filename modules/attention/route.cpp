#include "modules/attention/route.h"

#include "modules/attention/one_query.h"

namespace attnlab::modules {

namespace {

// LibTorch's fast path on the CPU takes no bias with a gradient, and its slow path is slower than our explicit kernel.
bool learns_bias_on_cpu(const AttentionCall& call) {
  return call.bias.defined() && call.bias.is_cpu() && call.bias.requires_grad();
}

}  // namespace

bool takes_packed(const KernelTraits& kernel, const PackedHeads& heads, const AttentionCall& call, bool apart) {
  return kernel.routed && !apart && can_pack(heads, call);
}

bool takes_one_query(const KernelTraits& kernel, const torch::Tensor& q, const KeyPool& pool,
                     const AttentionCall& call) {
  return kernel.routed && is_one_query(q, pool, call);
}

bool takes_fused(const AttentionCall& call) {
  return !call.weights && !call.drops() && !learns_bias_on_cpu(call);
}

}  // namespace attnlab::modules
