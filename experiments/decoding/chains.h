#pragma once
/// Rows of a model's batch that each grow one hypothesis, without competition: what greedy decoding and sampling share.

#include <cstdint>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/search_options.h"
#include "experiments/decoding/step_model.h"

namespace attnlab::decoding {

/// One row.
struct Chain {
  size_t sentence = 0;  ///< of the batch
  size_t sample = 0;    ///< which hypothesis of that sentence
  int64_t token = 0;    ///< the next input
  bool open = true;
};

/// `samples` chains of each sentence, sentence by sentence; the model's rows are copied to match.
std::vector<Chain> start_chains(StepModel& model, size_t sentences, size_t samples, int32_t bos);

/// The inputs of the next step.
std::vector<int64_t> next_tokens(const std::vector<Chain>& chains);

/// Adds the `length`-th token to the hypothesis of `chain`, which closes with eos, at the limit, or if `token` is -1
/// (nothing can follow: logits that are NaN, or all that is left is banned).
void extend(Chain& chain, Hypothesis& hypothesis, int32_t token, double log_probability, int64_t length, int64_t limit,
            const SearchOptions& options);

/// Drops the closed rows, from the list and from the model.
void drop_closed(std::vector<Chain>& chains, StepModel& model);

}  // namespace attnlab::decoding
