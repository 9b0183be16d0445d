#pragma once
/// Training throughput on this machine, beside the matrix products that a step cannot do without.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/data/batches.h"
#include "experiments/training/autocast.h"
#include "modules/options.h"

namespace attnlab::training {

/// What is measured. Post-norm models with sinusoids, biases as in the paper, one shared matrix for embeddings and
/// output, dropout 0.1 at all four places, label smoothing 0.1, AdamW at the constant rate 1e-4:
///
/// | size | layers | D | d_ff | H |
/// |---|---|---|---|---|
/// | `tiny` | 4 + 4 | 128 | 256 | 4 |
/// | `small` | 3 + 3 | 256 | 1024 | 4 |
/// | `base` | 6 + 6 | 512 | 2048 | 8 |
struct BenchmarkOptions {
  std::string size = "tiny";
  Precision precision = Precision::fp32;
  std::string device = "cpu";
  std::vector<data::Batch> batches;  ///< at least one: `synthetic_batches`, or prepared ones
  int64_t vocab = 10000;             ///< V; larger than every id
  int32_t pad = 1;
  int64_t warm_up = 1;  ///< steps before the first measurement, with the last batches
  int64_t rounds = 3;   ///< measurements; steps and products take turns
  int64_t steps_per_round =
      4;  ///< batches of one measurement: the first so many, from the start again if there are fewer
};

/// Target tokens (without padding) a second.
struct BenchmarkResult {
  double tokens_per_second = 0;     ///< median over the rounds: forward, loss, backward, update
  double slowest = 0, fastest = 0;  ///< of the rounds
  double products_per_second = 0;   ///< median of the same steps' matrix products alone, forward and backward
  double ratio = 0;                 ///< tokens_per_second / products_per_second
  double loss = 0;                  ///< of the last step, nats per token
  int64_t parameters = 0;
  double peak_mib = 0;  ///< resident memory of the process at its largest, after the warm-up
};

/// The model of a size, with both vocabularies set. Throws attnlab::Error for an unknown size.
modules::TransformerOptions options_of_size(const std::string& size, int64_t vocab);

/// `count` batches of at most 4096 padded target tokens, with the spread of lengths of short captions, from `seed`.
std::vector<data::Batch> synthetic_batches(int64_t count, int64_t vocab, uint64_t seed);

/// Throws attnlab::Error for an unknown size, no batches or an id outside the vocabulary.
BenchmarkResult benchmark(const BenchmarkOptions& options);

/// Answers measurements asked for on a stream, so that several programs can be timed in turn: writes one JSON line
/// `{"ready": true, "params", "loss", "setup_s"}` after the warm-up, then for each line `run N` one JSON line
/// `{"tok_s", "s", "loss", "peak_mib"}` about the first N batches, until `quit` or the end of the stream. Gives 0;
/// other lines are answered by `{"error"}`.
int serve(std::istream& in, std::ostream& out, const BenchmarkOptions& options);

}  // namespace attnlab::training
