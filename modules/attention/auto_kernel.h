#pragma once
/// The kernel that leaves the choice to `attention/route.h`, call by call.

#include <memory>

#include "modules/attention/explicit_kernel.h"
#include "modules/attention/fused_kernel.h"
#include "modules/attention/kernel.h"

namespace attnlab::modules {

class AutoKernel : public AttentionKernel {
 public:
  Attended forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                   const AttentionCall& call) override;

 private:
  FusedKernel fused;
  ExplicitKernel explicit_kernel;
};

std::shared_ptr<AttentionKernel> make_auto_kernel(const MultiHeadAttentionOptions& attention);

}  // namespace attnlab::modules
