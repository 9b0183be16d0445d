#include "modules/cpu/one_query.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "modules/cpu/exponential.h"
#include "modules/cpu/fold.h"
#include "modules/cpu/lanes.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

namespace {

using Quarter = float __attribute__((vector_size(16)));

/// The sums of the sixteen numbers of each of a, b, c and d.
ATTNLAB_INLINE Quarter sums_of(const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d) {
  const auto folded_twice = [](const Lanes& x) ATTNLAB_INLINE_LAMBDA {
    Quarter part[4];
    std::memcpy(part, &x, sizeof part);
    return (part[0] + part[2]) + (part[1] + part[3]);
  };
  const Quarter p = folded_twice(a), q = folded_twice(b), r = folded_twice(c), s = folded_twice(d);
  const Quarter pq = __builtin_shufflevector(p, q, 0, 4, 1, 5) + __builtin_shufflevector(p, q, 2, 6, 3, 7);
  const Quarter rs = __builtin_shufflevector(r, s, 0, 4, 1, 5) + __builtin_shufflevector(r, s, 2, 6, 3, 7);
  return __builtin_shufflevector(pq, rs, 0, 1, 4, 5) + __builtin_shufflevector(pq, rs, 2, 3, 6, 7);
}

/// `Width` of keys and values, known when this is compiled, so that sums stay in registers; 0: any.
template <int Width>
struct AttendOne {
  ATTNLAB_INLINE static void run(float* output, const float* q, const PooledRows* keys, const PooledRows* values,
                                 const int64_t* places, int64_t count, int64_t heads, float scale, float* weights) {
    const int64_t value_width = Width > 0 ? Width : values->width;
    for (int64_t j = 0; j < count; j += keys_together) {
      score(weights + j, q, *keys, places + j, std::min(keys_together, count - j), count, heads, scale);
    }
    for (int64_t h = 0; h < heads; ++h) {
      const float share = exponentials(weights + h * count, count);
      weigh(output + h * value_width, *values, h * value_width, value_width, places, count, share, weights + h * count);
    }
  }

 private:
  static constexpr int64_t keys_together = 4;

  /// The scores of `some` keys, at most `keys_together`, with each head's query: weights[h * count + key]. A key's
  /// heads lie side by side, so they are read together.
  ATTNLAB_INLINE static void score(float* weights, const float* q, const PooledRows& keys, const int64_t* places,
                                   int64_t some, int64_t count, int64_t heads, float scale) {
    const int64_t width = Width > 0 ? Width : keys.width;
    const float* row[keys_together];
    for (int64_t i = 0; i < keys_together; ++i) {
      row[i] = keys.data + places[std::min(i, some - 1)] * keys.stride;
    }
    for (int64_t h = 0; h < heads; ++h) {
      const float* query = q + h * width;
      Lanes product[keys_together];
      for (int64_t i = 0; i < keys_together; ++i) {
        products(product[i], query, row[i] + h * width, width);
      }
      const Quarter scores = sums_of(product[0], product[1], product[2], product[3]) * scale;
      for (int64_t i = 0; i < some; ++i) {
        weights[h * count + i] = scores[i];
      }
    }
  }

  /// Sixteen partial sums of a . b.
  ATTNLAB_INLINE static void products(Lanes& sum, const float* a, const float* b, int64_t width) {
    sum = Lanes{};
    int64_t c = 0;
    for (; c + lanes_size <= width; c += lanes_size) {
      Lanes x, y;
      std::memcpy(&x, a + c, sizeof x);
      std::memcpy(&y, b + c, sizeof y);
      sum += x * y;
    }
    for (int64_t lane = 0; c + lane < width; ++lane) {
      sum[lane] += a[c + lane] * b[c + lane];
    }
  }

  /// Scores become exponentials -> what each is to be multiplied by.
  ATTNLAB_INLINE static float exponentials(float* weights, int64_t count) {
    const float largest = folded(
        count, -std::numeric_limits<float>::infinity(), [&](int64_t j) { return weights[j]; },
        [](float a, float b) { return a < b ? b : a; });
    for (int64_t j = 0; j < count; ++j) {
      weights[j] = exponential(weights[j] - largest);
    }
    const float total = folded(
        count, 0.0F, [&](int64_t j) { return weights[j]; }, [](float a, float b) { return a + b; });
    return count > 0 ? 1.0F / total : 0.0F;
  }

  /// output = the sum of share * weights[j] * the value at places[j].
  ATTNLAB_INLINE static void weigh(float* output, const PooledRows& values, int64_t first, int64_t width,
                                   const int64_t* places, int64_t count, float share, const float* weights) {
    float registers[Width > 0 ? Width : 1];
    float* sum = Width > 0 ? registers : output;
    for (int64_t c = 0; c < width; ++c) {
      sum[c] = 0.0F;
    }
    for (int64_t j = 0; j < count; ++j) {
      const float weight = weights[j] * share;
      const float* value = values.data + places[j] * values.stride + first;
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

void attend_one(float* output, const float* q, const PooledRows& keys, const PooledRows& values, const int64_t* places,
                int64_t count, int64_t heads, float scale, float* weights) {
  switch (keys.width == values.width ? keys.width : 0) {
    case 16:
      return multiversion<AttendOne<16>>(output, q, &keys, &values, places, count, heads, scale, weights);
    case 32:
      return multiversion<AttendOne<32>>(output, q, &keys, &values, places, count, heads, scale, weights);
    case 64:
      return multiversion<AttendOne<64>>(output, q, &keys, &values, places, count, heads, scale, weights);
    default:
      return multiversion<AttendOne<0>>(output, q, &keys, &values, places, count, heads, scale, weights);
  }
}

}  // namespace attnlab::modules::cpu
