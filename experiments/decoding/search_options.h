#pragma once
/// Settings that all searches share.

#include <cstdint>
#include <span>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/length_penalty.h"

namespace attnlab::decoding {

/// How the hypotheses of a batch are searched; already validated.
struct SearchOptions {
  int64_t beam = 4;                                       ///< places for hypotheses, open and finished together
  int64_t n_best = 1;                                     ///< hypotheses wanted, at most `beam`
  LengthPenalty penalty{LengthPenalty::Rule::gnmt, 0.6};  ///< what finished hypotheses are compared by
  int64_t min_length = 0;  ///< tokens before eos is allowed; probabilities are not renormalised
  int32_t bos = 2, eos = 3;
  Ids banned;  ///< what no hypothesis has; probabilities are not renormalised
};

/// The tokens that a step may not choose, made once for a search.
class Bans {
 public:
  explicit Bans(const SearchOptions& options) : ids_(options.banned), min_length_(options.min_length) {
    ids_.push_back(options.eos);
  }
  /// For the `length`-th token of a hypothesis, from 1.
  std::span<const int32_t> at(int64_t length) const {
    const std::span<const int32_t> all(ids_);
    return length <= min_length_ ? all : all.first(all.size() - 1);
  }

 private:
  Ids ids_;  // the end mark is the last
  int64_t min_length_;
};

}  // namespace attnlab::decoding
