#pragma once
/// What a model says of each target token of a batch, given the tokens before it.

#include <functional>

#include "experiments/data/batches.h"
#include "modules/torch.h"
#include "modules/transformer.h"

namespace attnlab::evaluation {

/// Some target tokens, on the model's device.
struct TokenScores {
  torch::Tensor log_probabilities;  ///< [n] float32, nats, not smoothed
  torch::Tensor right;              ///< [n] bool: the likeliest prediction is the token
};

/// Hands all target tokens with eos to `take`, in the order of the batch's rows, without padding: at most 1,024 at a
/// time, so that memory does not grow with the batch. Whether the model drops out and keeps gradients is the caller's.
void score_tokens(modules::Transformer& model, const data::Batch& batch,
                  const std::function<void(const TokenScores&)>& take);

}  // namespace attnlab::evaluation
