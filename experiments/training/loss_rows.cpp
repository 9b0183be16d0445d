#include "experiments/training/loss_rows.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "modules/cpu/multiversion.h"

namespace attnlab::training {
namespace {

constexpr int64_t kLanes =
    32;  // independent partial results, so that the compiler may use vectors without reordering sums

/// e^x for x <= 0, relative error below 2e-7: 2^n * e^r with the polynomial of the Cephes library; NaN stays NaN.
ATTNLAB_INLINE float exponential(float x) {
  x = x < -87.0f ? -87.0f : x;
  constexpr float kShift = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number, in the low bits
  const float shifted = x * 1.44269504f + kShift;
  const float n = shifted - kShift;
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const uint32_t exponent = (std::bit_cast<uint32_t>(shifted) - 0x4B400000u + 127u) << 23;
  return p * std::bit_cast<float>(exponent);
}

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
