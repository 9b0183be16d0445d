#pragma once
/// What all layers of one stack are told about the sequence that runs through them.

#include "modules/attention/visible.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

struct Sequence {
  Visible visible;                 ///< what self-attention may see
  PositionRange range;             ///< where the rows of x [B, T, D] stand
  Positions* positions = nullptr;  ///< the stack's position method; null = none
  torch::Tensor valid;             ///< [B, T] true where a row is no padding; undefined when all are
};

}  // namespace attnlab::modules
