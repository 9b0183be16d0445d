#pragma once
/// A decoder's matrices as steps of cached decoding are fastest with them. Made once for all that is decoded with the
/// same parameters (`TransformerImpl::arranged_decoder`) and only read afterwards, so that every batch and every thread
/// can share it. It does not follow later changes of the parameters.

#include <vector>

#include "modules/arranged_linear.h"

namespace attnlab::modules {

struct ArrangedAttention {
  ArrangedLinear projection;  ///< self-attention: W_Q, W_K and W_V side by side; cross-attention: W_Q
  ArrangedLinear output;      ///< W_O
};

struct ArrangedFeedForward {
  ArrangedLinear inner, outer;  ///< W_1, with ReLU where that is the activation, and W_2
};

struct ArrangedLayer {
  ArrangedAttention self, cross;
  ArrangedFeedForward feed_forward;
};

struct ArrangedDecoder {
  std::vector<ArrangedLayer> layers;
  ArrangedLinear output;  ///< from states to logits
};

}  // namespace attnlab::modules
