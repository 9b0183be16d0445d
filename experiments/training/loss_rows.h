#pragma once
/// The inner loop of the loss on the CPU: log-softmax, smoothed cross-entropy and its gradient in one visit of each
/// row, compiled for AVX-512, AVX2 and the plain instruction set and chosen when the program runs.

#include <cstdint>

#include <c10/util/BFloat16.h>

#include "experiments/training/loss.h"

namespace attnlab::training {

enum class Gradient { none, in_place };

/// For each of `rows` rows of `logits` [rows, vocab]: losses[r] = cross-entropy in nats; with `in_place` the row is
/// overwritten with the gradient softmax(row) - smoothed target. A NaN or infinite logit gives a NaN loss.
void smoothed_rows(float* logits, int64_t rows, int64_t vocab, const int64_t* labels, const SmoothedTarget& smoothed,
                   double* losses, Gradient gradient);
void smoothed_rows(c10::BFloat16* logits, int64_t rows, int64_t vocab, const int64_t* labels,
                   const SmoothedTarget& smoothed, double* losses, Gradient gradient);

}  // namespace attnlab::training
