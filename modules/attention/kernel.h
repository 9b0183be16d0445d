#pragma once
/// The interface of attention kernels: softmax(Q K^T / sqrt(d_k)) V of all heads, in whichever way. What a kernel can
/// do is written in its traits (`attention/registry.h`). A new kernel is one file here and one line in
/// `attention/registry.cpp`.

#include "modules/attention/options.h"
#include "modules/attention/visible.h"
#include "modules/dropout.h"
#include "modules/initializer.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// What a kernel is asked for beside q, k, v.
struct AttentionCall {
  Visible visible;                  ///< which keys each query may see
  torch::Tensor bias;               ///< added to the scaled scores, broadcasts to [B, H, Tq, Tk]; undefined = none
  double dropout = 0;               ///< rate on the weights
  DropoutStream* stream = nullptr;  ///< null: nothing is dropped
  bool weights = false;             ///< the weights are asked for: only of kernels whose traits say that they give them
  bool drops() const { return stream != nullptr && dropout > 0; }
};

/// What a kernel returns.
struct Attended {
  torch::Tensor output;   ///< [B, H, Tq, d_v]
  torch::Tensor weights;  ///< [B, H, Tq, Tk] before dropout; may be undefined unless they were asked for
  torch::Tensor
      applied;  ///< [B, H, Tq, Tk] after dropout: what the values were multiplied by; undefined like `weights`
};

/// One way to compute attention. A module, because some kernels have parameters.
class AttentionKernel : public torch::nn::Module {
 public:
  /// `q` [B, H, Tq, d_k], `k` [B, H, Tk, d_k], `v` [B, H, Tk, d_v]. A query that may see nothing gets output and
  /// weights 0.
  virtual Attended forward(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                           const AttentionCall& call) = 0;

  /// Draws the kernel's parameters, if it has any.
  virtual void reset_parameters(const Initializer&) {}
};

}  // namespace attnlab::modules
