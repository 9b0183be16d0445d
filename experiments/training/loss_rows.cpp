#include "experiments/training/loss_rows.h"

#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "modules/cpu/exponential.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::training {
namespace {

using modules::cpu::exponential;

constexpr int64_t kLanes =
    32;  // independent partial results, so that the compiler may use vectors without reordering sums

ATTNLAB_INLINE float row_maximum(const float* z, int64_t size) {
  float lanes[kLanes];
  for (float& lane : lanes) lane = z[0];
  int64_t j = 0;
  for (; j + kLanes <= size; j += kLanes) {
    for (int64_t k = 0; k < kLanes; ++k) lanes[k] = z[j + k] > lanes[k] ? z[j + k] : lanes[k];
  }
  float maximum = lanes[0];
  for (const float lane : lanes) maximum = lane > maximum ? lane : maximum;
  for (; j < size; ++j) maximum = z[j] > maximum ? z[j] : maximum;
  return maximum;
}

struct Sums {
  double exponentials = 0, differences = 0;
};

/// Replaces z by e^(z - maximum); sums these and the z - maximum.
ATTNLAB_INLINE Sums exponentiate(float* z, int64_t size, float maximum) {
  float exponentials[kLanes] = {}, differences[kLanes] = {};
  int64_t j = 0;
  for (; j + kLanes <= size; j += kLanes) {
    for (int64_t k = 0; k < kLanes; ++k) {
      const float difference = z[j + k] - maximum;
      const float value = exponential(difference);
      differences[k] += difference;
      exponentials[k] += value;
      z[j + k] = value;
    }
  }
  Sums sums;
  for (; j < size; ++j) {
    const float difference = z[j] - maximum;
    z[j] = exponential(difference);
    sums.differences += difference;
    sums.exponentials += z[j];
  }
  for (int64_t k = 0; k < kLanes; ++k) {
    sums.exponentials += exponentials[k];
    sums.differences += differences[k];
  }
  return sums;
}

/// One row in float: gives its loss and leaves its gradient.
ATTNLAB_INLINE double smooth_row(float* z, int64_t size, int64_t label, const SmoothedTarget& smoothed,
                                 Gradient gradient) {
  const float maximum = row_maximum(z, size);
  const double target = z[label] - maximum, pad = z[smoothed.pad_id] - maximum;
  const Sums sums = exponentiate(z, size, maximum);
  // The smoothed target sums to 1, so the maximum cancels.
  const double loss = std::log(sums.exponentials) - smoothed.other * sums.differences -
                      (smoothed.target - smoothed.other) * target - (smoothed.pad - smoothed.other) * pad;
  if (gradient == Gradient::in_place) {
    const auto scale = static_cast<float>(1.0 / sums.exponentials);
    const auto other = static_cast<float>(smoothed.other);
    for (int64_t j = 0; j < size; ++j) z[j] = z[j] * scale - other;
    z[label] -= static_cast<float>(smoothed.target - smoothed.other);
    z[smoothed.pad_id] -= static_cast<float>(smoothed.pad - smoothed.other);
  }
  return loss;
}

template <typename T>
struct SmoothRows {
  ATTNLAB_INLINE static void run(T* logits, int64_t rows, int64_t vocab, const int64_t* labels,
                                 const SmoothedTarget& smoothed, double* losses, Gradient gradient, float* buffer) {
    for (int64_t r = 0; r < rows; ++r) {
      T* row = logits + r * vocab;
      float* z = buffer;
      if constexpr (std::is_same_v<T, float>) {
        if (gradient == Gradient::in_place) {
          z = row;
        } else {
          std::memcpy(z, row, static_cast<size_t>(vocab) * sizeof(float));
        }
      } else {
        for (int64_t j = 0; j < vocab; ++j) z[j] = static_cast<float>(row[j]);
      }
      losses[r] = smooth_row(z, vocab, labels[r], smoothed, gradient);
      if constexpr (!std::is_same_v<T, float>) {
        if (gradient == Gradient::in_place) {
          for (int64_t j = 0; j < vocab; ++j) row[j] = static_cast<T>(z[j]);
        }
      }
    }
  }
};

template <typename T>
void run(T* logits, int64_t rows, int64_t vocab, const int64_t* labels, const SmoothedTarget& smoothed, double* losses,
         Gradient gradient) {
  std::vector<float> buffer;
  if (!std::is_same_v<T, float> || gradient == Gradient::none) buffer.resize(static_cast<size_t>(vocab));
  modules::cpu::multiversion<SmoothRows<T>>(logits, rows, vocab, labels, smoothed, losses, gradient, buffer.data());
}

}  // namespace

void smoothed_rows(float* logits, int64_t rows, int64_t vocab, const int64_t* labels, const SmoothedTarget& smoothed,
                   double* losses, Gradient gradient) {
  run(logits, rows, vocab, labels, smoothed, losses, gradient);
}

void smoothed_rows(c10::BFloat16* logits, int64_t rows, int64_t vocab, const int64_t* labels,
                   const SmoothedTarget& smoothed, double* losses, Gradient gradient) {
  run(logits, rows, vocab, labels, smoothed, losses, gradient);
}

}  // namespace attnlab::training
