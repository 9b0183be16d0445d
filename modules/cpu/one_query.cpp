#include "modules/cpu/one_query.h"

#include <algorithm>
#include <limits>

#include "modules/cpu/exponential.h"
#include "modules/cpu/fold.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

namespace {

/// `Width` of keys and values, known when this is compiled, so that sums stay in registers; 0: any.
template <int Width>
struct AttendOne {
  ATTNLAB_INLINE static void run(float* output, const float* q, const KeyRows* keys, const KeyRows* values,
                                 int64_t count, float scale, float* weights) {
    const int64_t width = Width > 0 ? Width : keys->width;
    for (int64_t j = 0; j < count; ++j) {
      const float* key = keys->data + j * keys->stride;
      weights[j] =
          scale * folded(
                      width, 0.0F, [&](int64_t i) { return q[i] * key[i]; }, [](float a, float b) { return a + b; });
    }
    const float largest = folded(
        count, -std::numeric_limits<float>::infinity(), [&](int64_t j) { return weights[j]; },
        [](float a, float b) { return a < b ? b : a; });
    for (int64_t j = 0; j < count; ++j) {
      weights[j] = exponential(weights[j] - largest);
    }
    const float total = folded(
        count, 0.0F, [&](int64_t j) { return weights[j]; }, [](float a, float b) { return a + b; });
    weigh(output, values, count, count > 0 ? 1.0F / total : 0.0F, weights);
  }

 private:
  /// output = the sum of share * weights[j] * value j.
  ATTNLAB_INLINE static void weigh(float* output, const KeyRows* values, int64_t count, float share,
                                   const float* weights) {
    const int64_t width = Width > 0 ? Width : values->width;
    float registers[Width > 0 ? Width : 1];
    float* sum = Width > 0 ? registers : output;
    for (int64_t c = 0; c < width; ++c) {
      sum[c] = 0.0F;
    }
    for (int64_t j = 0; j < count; ++j) {
      const float weight = weights[j] * share;
      const float* value = values->data + j * values->stride;
      for (int64_t c = 0; c < width; ++c) {
        sum[c] += weight * value[c];
      }
    }
    if (Width > 0) {
      std::copy(sum, sum + width, output);
    }
  }
};

}  // namespace

void attend_one(float* output, const float* q, const KeyRows& keys, const KeyRows& values, int64_t count, float scale,
                float* weights) {
  switch (keys.width == values.width ? keys.width : 0) {
    case 16:
      return multiversion<AttendOne<16>>(output, q, &keys, &values, count, scale, weights);
    case 32:
      return multiversion<AttendOne<32>>(output, q, &keys, &values, count, scale, weights);
    case 64:
      return multiversion<AttendOne<64>>(output, q, &keys, &values, count, scale, weights);
    default:
      return multiversion<AttendOne<0>>(output, q, &keys, &values, count, scale, weights);
  }
}

}  // namespace attnlab::modules::cpu
