#pragma once
/// Log-softmax and the best k of each row in one pass over the logits, without writing log-probabilities of all V
/// pieces.

#include <cstdint>
#include <span>
#include <vector>

#include "modules/torch.h"

namespace attnlab::decoding {

/// The k likeliest tokens of each of R rows, best first, on the host.
struct TopK {
  int64_t k = 0;
  std::vector<float> log_probability;  ///< [R, k]; -inf where a row has fewer than k finite logits
  std::vector<int32_t> token;          ///< [R, k]; -1 there

  float log_probability_of(int64_t row, int64_t rank) const {
    return log_probability[static_cast<size_t>(row * k + rank)];
  }
  /// Adds the rows of `more`, which has the same k; this may still be empty.
  void append(const TopK& more);
  int32_t token_of(int64_t row, int64_t rank) const { return token[static_cast<size_t>(row * k + rank)]; }
};

/// The best `min(k, V)` of `logits` [R, V] (any device and floating type). Log-probabilities are over all V; tokens in
/// `banned` (few, any order; those outside the vocabulary are passed over) may not be among the best. Ties go to the
/// lower token. A row with NaN or +inf has no best.
TopK log_softmax_top_k(const torch::Tensor& logits, int64_t k, std::span<const int32_t> banned = {});

}  // namespace attnlab::decoding
