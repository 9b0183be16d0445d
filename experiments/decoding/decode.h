#pragma once
/// From source ids to hypotheses: greedy, beam search and sampling over a cached decoder.

#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/sampling.h"
#include "experiments/decoding/special_ids.h"
#include "experiments/spec/run_config.h"
#include "modules/torch.h"
#include "modules/transformer.h"

namespace attnlab::decoding {

/// What to decode, beyond the configuration of the run.
struct DecodeOptions {
  spec::DecodingConfig search;  ///< beam, penalty, lengths, batch
  int64_t n_best = 1;  ///< hypotheses a sentence, at most `search.beam` (refused otherwise); distinct, best first
  std::optional<Sampling> sampling;  ///< set: sample n_best hypotheses instead of searching; they may repeat
  int64_t first_sentence = 0;        ///< number of the first source, for the draws of sampling: text may come in parts
  SpecialIds special;                ///< of the target's vocabulary
  const modules::HeadGates* gates = nullptr;  ///< heads to weaken or remove; null: none
};

/// Throws attnlab::Error for options that cannot work, with the setting to change.
void check(const DecodeOptions& options);

/// Decodes all sources (ids with eos, none empty), in any internal order; result i belongs to source i and has n_best
/// hypotheses; a search gives fewer where there are no more. A source that is its end mark alone, an empty sentence,
/// has one: the empty one, with probability 1. Pieces without text (`special.silent`) are no candidates, nor is unk
/// unless the settings allow it; log-probabilities are over the whole vocabulary all the same, as those of `likelihood`
/// are. Results do not depend on the batch size beyond rounding.
///
/// Throws attnlab::Error for options that `check` refuses.
std::vector<std::vector<Hypothesis>> decode(modules::Transformer& model, const std::vector<Ids>& sources,
                                            const DecodeOptions& options);

}  // namespace attnlab::decoding
