#include "modules/cpu/one_query.h"

#include <limits>

#include "modules/cpu/exponential.h"
#include "modules/cpu/fold.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

namespace {

struct AttendOne {
  ATTNLAB_INLINE static void run(float* output, const float* q, const KeyRows* keys, const KeyRows* values,
                                 int64_t count, float scale, float* weights) {
    for (int64_t j = 0; j < count; ++j) {
      const float* key = keys->data + j * keys->stride;
      weights[j] = scale * folded(
                               keys->width, 0.0F, [&](int64_t i) { return q[i] * key[i]; },
                               [](float a, float b) { return a + b; });
    }
    const float largest = folded(
        count, -std::numeric_limits<float>::infinity(), [&](int64_t j) { return weights[j]; },
        [](float a, float b) { return a < b ? b : a; });
    for (int64_t j = 0; j < count; ++j) {
      weights[j] = exponential(weights[j] - largest);
    }
    const float total = folded(
        count, 0.0F, [&](int64_t j) { return weights[j]; }, [](float a, float b) { return a + b; });
    const float share = count > 0 ? 1.0F / total : 0.0F;
    for (int64_t c = 0; c < values->width; ++c) {
      output[c] = 0.0F;
    }
    for (int64_t j = 0; j < count; ++j) {
      const float weight = weights[j] * share;
      const float* value = values->data + j * values->stride;
      for (int64_t c = 0; c < values->width; ++c) {
        output[c] += weight * value[c];
      }
    }
  }
};

}  // namespace

void attend_one(float* output, const float* q, const KeyRows& keys, const KeyRows& values, int64_t count, float scale,
                float* weights) {
  multiversion<AttendOne>(output, q, &keys, &values, count, scale, weights);
}

}  // namespace attnlab::modules::cpu
