#pragma once
/// What a model can do with sentences longer than those it was trained on: loss, accuracy and scores by length.

#include <cstdint>
#include <memory>
#include <vector>

#include "experiments/probes/probe.h"

namespace attnlab::probes {

/// Sums over target tokens.
struct TokenSums {
  int64_t tokens = 0;
  double loss = 0;   ///< nats
  double right = 0;  ///< tokens whose likeliest prediction is right
};

/// Sums by target position (from 0, the end mark included) for each pair: result[i][t] belongs to token t of pair i.
/// With the given targets, without dropout, in float32.
std::vector<std::vector<TokenSums>> token_sums(modules::Transformer& model, const data::Pairs& pairs, int32_t bos,
                                               int64_t batch_tokens);

/// Lengths from `above` (not included) to `most` (included), as multiples of the training length.
struct LengthBucket {
  double above = 0, most = 0;
};
/// Quarters up to 1, then 1.25, 1.5, 2, 3, 4.
const std::vector<LengthBucket>& length_buckets();

/// Index of the bucket of a source of `length` pieces (without its end mark), where `trained` is the longest training
/// source; -1 beyond the last one.
int bucket_of(int64_t length, int64_t trained);

/// Pairs longer than any in training: for `copy`, `reverse` and `sort`, 48 drawn for each bucket above 1 with the
/// data's own seed. Empty for other data. Pairs that do not fit `data.max_pieces`, the run's limit, are left out.
data::Split draw_longer(const spec::DataConfig& config);

/// The probe. Metrics, in percent except for the loss, for sources `within` the training length, `to_2x` (longer, up to
/// twice) and `to_4x` (longer than twice): `lengths.<group>.loss`, `.accuracy` (of tokens) and `.exact` (of whole
/// sentences, as decoded by the configuration).
std::unique_ptr<Probe> make_lengths(const ProbeInput& input);

}  // namespace attnlab::probes
