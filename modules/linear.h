#pragma once
/// The linear map of projections and feed-forward networks, and in which numbers it is multiplied.

#include "modules/torch.h"

namespace attnlab::modules {

/// x [..., K] W^T + b: [..., N], for `weight` [N, K] and `bias` [N] or undefined. LibTorch's product, or where
/// `Bf16Products` is in force one of bfloat16 numbers between float32 tensors, forward and backward.
torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias = {});

/// While it lives, this thread's `linear` rounds what it multiplies to bfloat16 (float32 on the CPU only; sums, results
/// and gradients stay float32). Needs `has_bf16_products`. Backward passes follow their forward pass.
class Bf16Products {
 public:
  Bf16Products();
  ~Bf16Products();
  Bf16Products(const Bf16Products&) = delete;
  Bf16Products& operator=(const Bf16Products&) = delete;

  /// True if one is in force and these are what it is for.
  static bool serve(const torch::Tensor& x, const torch::Tensor& weight);

 private:
  bool before_;
};

}  // namespace attnlab::modules
