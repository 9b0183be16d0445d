#pragma once
/// From source ids to hypotheses: greedy, beam search and sampling over a cached decoder.

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "experiments/spec/run_config.h"
#include "modules/transformer.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::decoding {

using tokenizer::Ids;

/// Drawing instead of searching. Both filters may be combined: top-k first, then top-p.
struct Sampling {
  double temperature = 1.0;  ///< > 0
  int64_t top_k = 0;         ///< keep the k likeliest; 0 = all; more than V = all
  double top_p = 1.0;        ///< keep the smallest set whose probability reaches p, in (0, 1]; the piece that crosses p is kept
  uint64_t seed = 1;
};

/// What to decode, beyond the configuration of the run.
struct DecodeOptions {
  spec::DecodingConfig search;       ///< beam, penalty, lengths, batch
  int64_t n_best = 1;                ///< hypotheses a sentence, at most `search.beam` (refused otherwise); distinct, best first
  std::optional<Sampling> sampling;  ///< set: sample n_best hypotheses instead of searching
  int32_t bos = 2, eos = 3;
};

/// One finished hypothesis.
struct Hypothesis {
  Ids ids;                     ///< without bos and eos
  double score = 0;            ///< log-probability over the length penalty: what the search sorted by
  double log_probability = 0;  ///< sum over ids and eos, in nats
  bool finished = true;        ///< false: cut at the maximal length without eos
};

/// Decodes all sources (ids with eos, none empty), in any internal order; result i belongs to source i and has n_best hypotheses. Results do not depend on
/// the batch size beyond rounding.
std::vector<std::vector<Hypothesis>> decode(modules::Transformer& model, const std::vector<Ids>& sources, const DecodeOptions& options);

/// Log-probabilities of given targets.
struct Likelihood {
  double total = 0;             ///< nats, over all tokens with eos
  std::vector<double> tokens;   ///< one for each target id, eos last
};

/// `sources[i]` with eos, `targets[i]` with eos.
std::vector<Likelihood> likelihood(modules::Transformer& model, const std::vector<Ids>& sources, const std::vector<Ids>& targets, int32_t bos,
                                   int64_t batch_tokens);

}  // namespace attnlab::decoding
