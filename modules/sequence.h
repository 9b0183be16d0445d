#pragma once
/// What all layers of one stack are told about the sequence that runs through them.

#include "modules/attention/visible.h"
#include "modules/positional_encoding.h"
#include "modules/token_rows.h"

namespace attnlab::modules {

struct Sequence {
  Visible visible;                              ///< what self-attention may see
  PositionRange range;                          ///< where the rows of x [B, T, D] stand
  PositionalEncodingImpl* positions = nullptr;  ///< of the stack; null = none
  torch::Tensor valid;                          ///< [B, T] true where a row is no padding; undefined when all are
  const TokenRows* rows = nullptr;              ///< x is [N, D], these rows and no padding; null: x is [B, T, D]
  const TokenRows* memory_rows = nullptr;       ///< the same of the memory that cross-attention reads

  /// What norms are told of the rows of x: `valid`, or undefined where padding is left out.
  torch::Tensor valid_rows() const { return rows != nullptr ? torch::Tensor() : valid; }
};

}  // namespace attnlab::modules
