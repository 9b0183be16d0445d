#pragma once
/// Drawing hypotheses from the model's distribution instead of searching for the likeliest.

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/search_options.h"
#include "experiments/decoding/step_model.h"

namespace attnlab::decoding {

/// Both filters may be combined: top-k first, then top-p on what is left, renormalised. Both see only what may be
/// drawn.
struct Sampling {
  double temperature = 1.0;  ///< > 0; logits are divided by it
  int64_t top_k = 0;         ///< keep the k likeliest; 0 = all; more than V = all
  double top_p =
      1.0;  ///< keep the smallest set whose probability reaches p, in (0, 1]; the piece that crosses p is kept
  uint64_t seed = 1;  ///< every value is a seed of its own, 0 too
};

/// A number in [0, 1) that is a pure function of its key: draws do not depend on which sentences share a batch.
double uniform(uint64_t seed, uint64_t sentence, uint64_t sample, uint64_t step);

/// Draws a token from filtered softmax(logits / temperature) by inverting its cumulative sum at `uniform` in [0, 1).
/// Without a filter tokens are summed in their order, with one from the likeliest down (ties to the lower token).
/// Tokens in `banned` are never drawn and do not count for the filters. Returns -1 if no other token has a finite
/// logit.
int32_t draw(std::span<const float> logits, const Sampling& sampling, double uniform,
             std::span<const int32_t> banned = {});

/// Samples `options.n_best` hypotheses of each sentence of a batch, in the order of their draws (they may repeat).
/// `sentences[b]` is the number that keys the draws of sentence b. Log-probabilities and scores are those of the model,
/// over all V tokens, before temperature, filters and bans.
std::vector<std::vector<Hypothesis>> sample(StepModel& model, const std::vector<int64_t>& limits,
                                            const std::vector<int64_t>& sentences, const SearchOptions& options,
                                            const Sampling& sampling);

}  // namespace attnlab::decoding
