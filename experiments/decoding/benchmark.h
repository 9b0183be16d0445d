#pragma once
/// How fast decoding is on this machine: a model of random weights and sentences of random pieces, so nothing has to be
/// trained.

#include <cstdint>
#include <vector>

#include "experiments/decoding/decode.h"
#include "modules/options.h"
#include "modules/torch.h"

namespace attnlab::decoding {

/// What is measured.
struct BenchmarkOptions {
  modules::TransformerOptions model;  ///< source_vocab and target_vocab are set from `vocab`
  int64_t vocab = 10000;              ///< pieces of both sides
  int64_t sentences = 1000;           ///< decoded in each round
  int64_t min_source = 5;             ///< shortest source, in pieces
  int64_t max_source = 30;            ///< longest source; lengths are spread evenly
  int64_t rounds = 3;                 ///< timed, after one that is not
  spec::DecodingConfig search;        ///< beam, penalty, batch
  torch::Device device = torch::kCPU;
  uint64_t seed = 1;
};

/// One timed round.
struct BenchmarkRound {
  double seconds = 0;
  double sentences_per_second = 0;
  double tokens_per_second = 0;  ///< of the best hypotheses, end marks included
};

/// Every hypothesis has as many tokens as its source with eos (random weights would end anywhere), so the lengths of
/// `search` are not used, all rounds do the same work, and sentences leave their batch as in a real test set. Beams
/// stay full to the end.
struct BenchmarkReport {
  std::vector<BenchmarkRound> rounds;
  int64_t tokens = 0;  ///< of one round

  double median_sentences_per_second() const;
  double median_tokens_per_second() const;
};
BenchmarkReport benchmark(const BenchmarkOptions& options);

}  // namespace attnlab::decoding
