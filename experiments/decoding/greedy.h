#pragma once
/// Greedy decoding: the likeliest token at each step. The same hypotheses as beam search with one place, without its
/// bookkeeping.

#include <cstdint>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/search_options.h"
#include "experiments/decoding/step_model.h"

namespace attnlab::decoding {

/// Decodes all sentences of a batch together; arguments and result as for `beam_search`, with one hypothesis a sentence
/// (`options.beam` and `n_best` are not looked at).
std::vector<std::vector<Hypothesis>> greedy_search(StepModel& model, const std::vector<int64_t>& limits,
                                                   const SearchOptions& options);

}  // namespace attnlab::decoding
