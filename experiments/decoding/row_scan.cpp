#include "experiments/decoding/row_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "modules/cpu/exponential.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::decoding {
namespace {

using modules::cpu::multiversion;

// Independent partial results, so that the next need not wait for the last.
struct Maxima {
  static constexpr int64_t kLanes = 16;

  ATTNLAB_INLINE static void run(const float* row, int64_t size, float* maxima) {
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
};

struct ExpSum {
  static constexpr int64_t kLanes = 32;
  static constexpr int64_t kFlush = 32 * kLanes;  // elements summed in float before they go to double

  ATTNLAB_INLINE static void run(const float* row, int64_t size, float maximum, double* sum) {
    double total = 0;
    int64_t i = 0;
    while (i + kLanes <= size) {
      float lanes[kLanes] = {};
      const int64_t stop = std::min(size - kLanes, i + kFlush - kLanes);
      for (; i <= stop; i += kLanes) {
        for (int64_t j = 0; j < kLanes; ++j) lanes[j] += modules::cpu::exponential(row[i + j] - maximum);
      }
      for (const float lane : lanes) total += lane;
    }
    for (; i < size; ++i) total += modules::cpu::exponential(row[i] - maximum);
    *sum = total;
  }
};

}  // namespace

void block_maxima(std::span<const float> row, std::span<float> maxima) {
  multiversion<Maxima>(row.data(), static_cast<int64_t>(row.size()), maxima.data());
}

double log_sum_exp(std::span<const float> row, float maximum) {
  if (!std::isfinite(maximum)) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  multiversion<ExpSum>(row.data(), static_cast<int64_t>(row.size()), maximum, &sum);
  return static_cast<double>(maximum) + std::log(sum);
}

}  // namespace attnlab::decoding
