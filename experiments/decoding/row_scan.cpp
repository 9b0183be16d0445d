#include "experiments/decoding/row_scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace attnlab::decoding {
namespace {

constexpr int64_t kLanes = 16;           // independent partial results: the loop vectorises without reordering any sum
constexpr int64_t kFlush = 64 * kLanes;  // elements summed in float before they go to double

/// exp(x) for x <= 0 with 2 ulp: 2^n * p(r), |r| <= ln 2 / 2, the polynomial of Cephes' expf.
[[gnu::always_inline]] inline float fast_exp(float x) {
  constexpr float kRound = 12582912.0F;            // 1.5 * 2^23: adding and subtracting it rounds to an integer
  const float clamped = x >= -87.0F ? x : -87.0F;  // NaN, too, which must not become an integer
  const float n = (clamped * 1.44269504F + kRound) - kRound;
  const float r = (clamped - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const float result = p * std::bit_cast<float>((static_cast<int32_t>(n) + 127) << 23);
  return x == x ? result : x;
}

[[gnu::always_inline]] inline void maxima_body(const float* row, int64_t size, float* maxima) {
  for (int64_t begin = 0; begin < size; begin += kScanBlock, ++maxima) {
    float lanes[kLanes];
    std::fill_n(lanes, kLanes, -std::numeric_limits<float>::infinity());
    const int64_t end = std::min(size, begin + kScanBlock);
    int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      for (int64_t j = 0; j < kLanes; ++j) lanes[j] = row[i + j] > lanes[j] ? row[i + j] : lanes[j];
    }
    for (; i < end; ++i) lanes[0] = row[i] > lanes[0] ? row[i] : lanes[0];
    *maxima = *std::max_element(lanes, lanes + kLanes);
  }
}

[[gnu::always_inline]] inline double exp_sum_body(const float* row, int64_t size, float maximum) {
  double total = 0;
  int64_t i = 0;
  while (i + kLanes <= size) {
    float lanes[kLanes] = {};
    const int64_t stop = std::min(size - kLanes, i + kFlush - kLanes);
    for (; i <= stop; i += kLanes) {
      for (int64_t j = 0; j < kLanes; ++j) lanes[j] += fast_exp(row[i + j] - maximum);
    }
    for (const float lane : lanes) total += lane;
  }
  for (; i < size; ++i) total += fast_exp(row[i] - maximum);
  return total;
}

using MaximaFunction = void (*)(const float*, int64_t, float*);
using ExpSumFunction = double (*)(const float*, int64_t, float);

void maxima_plain(const float* row, int64_t size, float* maxima) {
  maxima_body(row, size, maxima);
}
double exp_sum_plain(const float* row, int64_t size, float maximum) {
  return exp_sum_body(row, size, maximum);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void maxima_avx2(const float* row, int64_t size, float* maxima) {
  maxima_body(row, size, maxima);
}
[[gnu::target("avx2")]] double exp_sum_avx2(const float* row, int64_t size, float maximum) {
  return exp_sum_body(row, size, maximum);
}
[[gnu::target("avx512f,avx512dq")]] void maxima_avx512(const float* row, int64_t size, float* maxima) {
  maxima_body(row, size, maxima);
}
[[gnu::target("avx512f,avx512dq")]] double exp_sum_avx512(const float* row, int64_t size, float maximum) {
  return exp_sum_body(row, size, maximum);
}

MaximaFunction choose_maxima() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return maxima_avx512;
  return __builtin_cpu_supports("avx2") ? maxima_avx2 : maxima_plain;
}
ExpSumFunction choose_exp_sum() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return exp_sum_avx512;
  return __builtin_cpu_supports("avx2") ? exp_sum_avx2 : exp_sum_plain;
}
#else
MaximaFunction choose_maxima() {
  return maxima_plain;
}
ExpSumFunction choose_exp_sum() {
  return exp_sum_plain;
}
#endif

}  // namespace

void block_maxima(std::span<const float> row, std::span<float> maxima) {
  static const MaximaFunction function = choose_maxima();
  function(row.data(), static_cast<int64_t>(row.size()), maxima.data());
}

double log_sum_exp(std::span<const float> row, float maximum) {
  static const ExpSumFunction function = choose_exp_sum();
  if (!std::isfinite(maximum)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(maximum) + std::log(function(row.data(), static_cast<int64_t>(row.size()), maximum));
}

}  // namespace attnlab::decoding
