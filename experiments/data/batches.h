#pragma once
/// The order in which training sees encoded pairs: batches of a token budget, bucketed by length, shuffled for each
/// epoch from the seed. Orders are of rows and lengths: no ids are copied before a batch is made. No torch here;
/// `tensors.h` turns a batch into tensors.

#include <cstdint>
#include <vector>

#include "experiments/data/pairs.h"

namespace attnlab::data {

/// A padded batch, row-major, right-padded with pad.
struct Batch {
  int64_t rows = 0, source_width = 0, target_width = 0;
  std::vector<int64_t> source;                          ///< [rows, source_width]
  std::vector<int64_t> target_input;                    ///< [rows, target_width]: bos + target without eos
  std::vector<int64_t> target_output;                   ///< [rows, target_width]: target with eos
  std::vector<int64_t> source_lengths, target_lengths;  ///< [rows]: positions that are no padding
  int64_t source_tokens = 0, target_tokens = 0;         ///< sums of the lengths
};

/// Batches as rows of a data set: batch -> indices of pairs.
using BatchRows = std::vector<std::vector<int64_t>>;

/// The batches of one epoch. Pairs are sorted by length with ties in an order drawn from (seed, epoch), cut so that
/// rows * longest target <= budget (a single longer pair is a batch of its own), and the list is shuffled from (seed,
/// epoch).
BatchRows epoch_batches(const Pairs& pairs, int64_t budget, uint64_t seed, uint64_t epoch);

/// Batches in order of length for scoring: every pair once, the same for every call.
BatchRows scoring_batches(const Pairs& pairs, int64_t budget);

/// Pads the named rows together.
Batch make_batch(const Pairs& pairs, const std::vector<int64_t>& rows, int32_t pad, int32_t bos);

/// Pads all pairs together.
Batch make_batch(const Pairs& pairs, int32_t pad, int32_t bos);

/// Share of padding in a list of batches: source and target, in [0, 1).
struct PaddingShare {
  double source = 0, target = 0;
};
PaddingShare padding_share(const Pairs& pairs, const BatchRows& batches);

}  // namespace attnlab::data
