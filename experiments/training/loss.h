#pragma once
/// Cross-entropy with label smoothing (Szegedy et al. 2016; Vaswani et al. 2017, section 5.4): the sum over tokens, in
/// nats.

#include <cstdint>
#include <string>

#include "modules/torch.h"

namespace attnlab::training {

/// Over which pieces the smoothed mass is spread, evenly.
enum class SmoothingRule {
  vocab,          ///< all V, the target too (as torch's cross_entropy does)
  others,         ///< V - 1: not the target
  others_no_pad,  ///< V - 2: neither the target nor pad
};

/// `vocab`, `others` or `others_no_pad`. Throws attnlab::Error for other names.
SmoothingRule smoothing_rule(const std::string& name);

/// The distribution that predictions are held against: `target` for the target, `pad` for the pad piece, `other` for
/// each other one.
struct SmoothedTarget {
  double target = 1, pad = 0, other = 0;
  int64_t pad_id = 0;
};

/// Takes `mass` (in [0, 1)) from the target and spreads it by the rule over `vocab` pieces.
SmoothedTarget smoothed_target(SmoothingRule rule, double mass, int64_t vocab, int64_t pad_id);

/// Sum over rows of the cross-entropy between the smoothed target and softmax(logits).
/// `logits` [N, V] float32, bfloat16 or float64; `labels` [N] int64, none of them pad: the caller leaves padded
/// positions out, so they cost nothing. The result is a float32 scalar (float64 for float64 logits); bfloat16 logits
/// are computed in float32.
///
/// **`logits` is used up**: on the CPU its memory becomes the gradient, so that nothing of size [N, V] is allocated or
/// passed over again.
torch::Tensor smoothed_cross_entropy(const torch::Tensor& logits, const torch::Tensor& labels,
                                     const SmoothedTarget& smoothed);

/// The same for logits = states * weight^T (`states` [N, D], `weight` [V, D]). For float32 on the CPU the rows are
/// taken in blocks and the gradients are made in the same sweep, so the whole logits are never in memory, whichever
/// products `modules::linear` takes there; elsewhere and under LibTorch's autocast they are.
torch::Tensor projected_cross_entropy(const torch::Tensor& states, const torch::Tensor& weight,
                                      const torch::Tensor& labels, const SmoothedTarget& smoothed);

}  // namespace attnlab::training
