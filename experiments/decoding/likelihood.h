#pragma once
/// How likely a model finds given targets.

#include <cstdint>
#include <vector>

#include "experiments/data/pairs.h"
#include "modules/torch.h"
#include "modules/transformer.h"

namespace attnlab::decoding {

/// Log-probabilities, in nats, of the tokens `targets` [...] under `logits` [..., V]: [...] float32, whatever the type
/// of the logits.
torch::Tensor log_probabilities(const torch::Tensor& logits, const torch::Tensor& targets);

/// Log-probabilities of one target.
struct Likelihood {
  double total = 0;            ///< nats, over all tokens with eos
  std::vector<double> tokens;  ///< one for each target id, eos last
};

/// Of the target of each pair, given its source. Throws attnlab::Error for a pair with a side without ids.
std::vector<Likelihood> likelihood(modules::Transformer& model, const data::Pairs& pairs, int32_t bos,
                                   int64_t batch_tokens);

}  // namespace attnlab::decoding
