#pragma once
/// Settings that all searches share.

#include <cstdint>

#include "experiments/decoding/length_penalty.h"

namespace attnlab::decoding {

/// How the hypotheses of a batch are searched; already validated.
struct SearchOptions {
  int64_t beam = 4;                                       ///< places for hypotheses, open and finished together
  int64_t n_best = 1;                                     ///< hypotheses wanted, at most `beam`
  LengthPenalty penalty{LengthPenalty::Rule::gnmt, 0.6};  ///< what finished hypotheses are compared by
  int64_t min_length = 0;  ///< tokens before eos is allowed; probabilities are not renormalised
  int32_t bos = 2, eos = 3;
};

}  // namespace attnlab::decoding
