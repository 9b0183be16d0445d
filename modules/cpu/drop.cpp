#include "modules/cpu/drop.h"

#include <algorithm>
#include <bit>

#include "modules/cpu/draw.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

namespace {

ATTNLAB_INLINE float load(float x) {
  return x;
}
ATTNLAB_INLINE double load(double x) {
  return x;
}
ATTNLAB_INLINE float load(Bfloat16 x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16U);
}

ATTNLAB_INLINE void store(float& out, float x) {
  out = x;
}
ATTNLAB_INLINE void store(double& out, double x) {
  out = x;
}
ATTNLAB_INLINE void store(Bfloat16& out, float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;  // to nearest, ties to even
  out.bits = static_cast<uint16_t>(x == x ? rounded : 0x7FC0U);
}

template <class Out, class In>
ATTNLAB_INLINE void apply(Out* __restrict out, const Out* residual, const In* x, int64_t count, const uint32_t* words,
                          const Mask& mask) {
  using Number = decltype(load(In{}));
  const auto scale = static_cast<Number>(mask.scale);
  if (residual == nullptr) {
    for (int64_t i = 0; i < count; ++i) {
      store(out[i], words[i] >= mask.threshold ? load(x[i]) * scale : Number{0});
    }
  } else {
    for (int64_t i = 0; i < count; ++i) {
      store(out[i], load(residual[i]) + (words[i] >= mask.threshold ? load(x[i]) * scale : Number{0}));
    }
  }
}

// body(i, count, words): elements i .. i + count - 1 with their words, for all of begin .. end - 1.
template <class Body>
ATTNLAB_INLINE void for_groups(int64_t begin, int64_t end, const Mask& mask, const Body& body) {
  alignas(64) uint32_t words[group_size];
  const auto first = static_cast<int64_t>(mask.first);
  for (int64_t i = begin; i < end;) {
    const int64_t group = (first + i) / group_size, skipped = first + i - group * group_size;
    draw(words, static_cast<uint64_t>(group), mask);
    const int64_t left = group_size - skipped, count = left < end - i ? left : end - i;
    body(i, count, words + skipped);
    i += count;
  }
}

template <class Out, class In>
struct Drop {
  ATTNLAB_INLINE static void run(Out* out, const Out* residual, const In* x, int64_t begin, int64_t end,
                                 const Mask& mask) {
    for_groups(begin, end, mask, [&](int64_t i, int64_t count, const uint32_t* words) ATTNLAB_INLINE_LAMBDA {
      const Out* rest = residual == nullptr ? nullptr : residual + i;
      if (count == group_size) {
        apply(out + i, rest, x + i, group_size, words, mask);
      } else {
        apply(out + i, rest, x + i, count, words, mask);
      }
    });
  }
};

struct ReluDrop {
  ATTNLAB_INLINE static void run(float* out, const float* x, int64_t begin, int64_t end, const Mask& mask) {
    const auto scale = static_cast<float>(mask.scale);
    for_groups(begin, end, mask, [&](int64_t i, int64_t count, const uint32_t* words) ATTNLAB_INLINE_LAMBDA {
      for (int64_t j = 0; j < count; ++j) {
        const float active = x[i + j] <= 0.0F ? 0.0F : x[i + j] * scale;  // NaN stays
        out[i + j] = words[j] >= mask.threshold ? active : 0.0F;
      }
    });
  }
};

struct ReluDropBackward {
  ATTNLAB_INLINE static void run(float* out, const float* gradient, const float* y, int64_t count, float scale) {
    for (int64_t i = 0; i < count; ++i) {
      out[i] = y[i] > 0.0F ? gradient[i] * scale : 0.0F;
    }
  }
};

}  // namespace

void relu_drop(float* out, const float* x, int64_t begin, int64_t end, const Mask& mask) {
  multiversion<ReluDrop>(out, x, begin, end, mask);
}

void relu_drop_backward(float* out, const float* gradient, const float* y, int64_t count, float scale) {
  multiversion<ReluDropBackward>(out, gradient, y, count, scale);
}

template <class Out, class In>
void drop(Out* out, const Out* residual, const In* x, int64_t begin, int64_t end, const Mask& mask) {
  multiversion<Drop<Out, In>>(out, residual, x, begin, end, mask);
}

template void drop(float*, const float*, const float*, int64_t, int64_t, const Mask&);
template void drop(double*, const double*, const double*, int64_t, int64_t, const Mask&);
template void drop(Bfloat16*, const Bfloat16*, const Bfloat16*, int64_t, int64_t, const Mask&);
template void drop(float*, const float*, const Bfloat16*, int64_t, int64_t, const Mask&);
template void drop(Bfloat16*, const Bfloat16*, const float*, int64_t, int64_t, const Mask&);

}  // namespace attnlab::modules::cpu
