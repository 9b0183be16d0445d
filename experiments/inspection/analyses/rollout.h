#pragma once
/// Attention rollout (Abnar & Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3).

#include "modules/torch.h"

namespace attnlab::inspection {

/// W, the mean over heads: `weights` [L, H, T, T] -> [L, T, T] float64.
torch::Tensor head_means(const torch::Tensor& weights);

/// The identities of inputs that flow through a stack of self-attention: with A = (W + I) / 2 the rollout is A_L ...
/// A_1. `means` [L, T, T] (`head_means`), lowest layer first -> [L, T, T] float64: entry l is the rollout up to layer
/// l; rows sum to 1.
torch::Tensor attention_rollout(const torch::Tensor& means);

}  // namespace attnlab::inspection
