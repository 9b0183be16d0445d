#pragma once
/// DeepNorm (Wang et al. 2022, DeepNet, section 4 and figure 2): post-LN with a larger residual and smaller start,
/// Norm(alpha * x + Dropout(Sublayer(x))), so that the change of the output by one update stays bounded in depth.

#include "modules/norms/registry.h"
#include "modules/options.h"

namespace attnlab::modules {

/// The paper's alpha (residual) and beta (initial) of one stack of an encoder-decoder with N encoder and M decoder
/// layers: encoder 0.81 (N^4 M)^(1/16) and 0.87 (N^4 M)^(-1/16), decoder (3M)^(1/4) and (12M)^(-1/4).
PlacementScales deep_norm_scales(const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
