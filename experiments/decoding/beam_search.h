#pragma once
/// Beam search over any StepModel.

#include <cstdint>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/search_options.h"
#include "experiments/decoding/step_model.h"

namespace attnlab::decoding {

/// Searches all sentences of a batch together; `limits[b]` >= 1 is the most tokens of a hypothesis of sentence b, end
/// mark included. Result b belongs to sentence b and has `n_best` hypotheses with distinct ids; fewer only where fewer
/// than that exist below the limit. No hypothesis has a token of `options.banned`, and log-probabilities are those over
/// all V tokens all the same.
///
/// At each step the likeliest extensions of all open hypotheses of a sentence fill the places of its beam. One that
/// ends with eos is finished and keeps its place, so the open part of the beam shrinks (beam 1 is greedy decoding).
/// Ties go to the better parent, then to the lower token. A sentence is done, and its rows leave the model's batch,
/// when no open hypothesis is left or none can still beat the n_best-th finished one under the penalty
/// (`LengthPenalty::bound`); so the first hypotheses do not depend on n_best. Finished hypotheses come first, by
/// falling score; those cut at the limit without eos only fill places that are left.
std::vector<std::vector<Hypothesis>> beam_search(StepModel& model, const std::vector<int64_t>& limits,
                                                 const SearchOptions& options);

}  // namespace attnlab::decoding
