#include "modules/cpu/attention.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "modules/cpu/draw.h"
#include "modules/cpu/small_product.h"

namespace attnlab::modules::cpu {

namespace {

static_assert(attention_lanes == lanes_size);

using Bits = uint32_t __attribute__((vector_size(64)));

constexpr int64_t block_rows = 16;  // queries whose scores are worked on while they are in the first cache
constexpr uint32_t sign = 0x80000000U;
constexpr Bits ramp = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

int64_t words_of_block(int64_t keys) {
  return block_rows * keys + 2 * group_size + lanes_size;
}

// Vectors go by reference: how they are passed by value depends on the processor that a function is compiled for.
template <class Vector>
ATTNLAB_INLINE void load(Vector& x, const void* from) {
  std::memcpy(&x, from, sizeof x);
}
ATTNLAB_INLINE void store(float* to, const Lanes& x) {
  std::memcpy(to, &x, sizeof x);
}
ATTNLAB_INLINE void choose(Lanes& x, const Bits& kept) {  // all bits of a lane set: stays; none: becomes 0
  x = reinterpret_cast<Lanes>(reinterpret_cast<Bits>(x) & kept);
}
ATTNLAB_INLINE void before(Bits& kept, int64_t first, int64_t end) {  // which of first, first + 1, ... are below end
  const uint32_t count = end > first ? static_cast<uint32_t>(end - first) : 0U;
  kept = reinterpret_cast<Bits>(ramp < (Bits{} + count));
}
ATTNLAB_INLINE float sum_of(const Lanes& x) {
  float part[lanes_size];
  std::memcpy(part, &x, sizeof part);
  for (int half = lanes_size / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) {
      part[l] += part[l + half];
    }
  }
  return part[0];
}
ATTNLAB_INLINE float largest_of(const Lanes& x) {
  float part[lanes_size];
  std::memcpy(part, &x, sizeof part);
  for (int half = lanes_size / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) {
      part[l] = part[l] < part[l + half] ? part[l + half] : part[l];
    }
  }
  return part[0];
}

// e^x for x <= 0, as in softmax.cpp.
ATTNLAB_INLINE void exponentiate(Lanes& x) {
  x = x < -87.0F ? Lanes{} - 87.0F : x;
  const Lanes shifted = x * 1.44269504F + 12582912.0F;
  const Lanes n = shifted - 12582912.0F;
  const Lanes r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  Lanes p = Lanes{} + 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  const Bits power = (reinterpret_cast<Bits>(shifted) - 0x4B400000U + 127U) << 23U;
  x = p * reinterpret_cast<Lanes>(power);
}

// The transpose of 16 rows, of which `count` exist: four perfect shuffles of the rows' numbers.
ATTNLAB_INLINE void transpose_tile(float* to, int64_t to_row, const float* from, int64_t from_row, int64_t count) {
  Lanes x[lanes_size] = {}, y[lanes_size];
  for (int64_t i = 0; i < count; ++i) {
    load(x[i], from + i * from_row);
  }
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < lanes_size / 2; ++i) {
      y[2 * i] = __builtin_shufflevector(x[i], x[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      y[2 * i + 1] =
          __builtin_shufflevector(x[i], x[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
    for (int i = 0; i < lanes_size; ++i) {
      x[i] = y[i];
    }
  }
  for (int i = 0; i < lanes_size; ++i) {
    store(to + i * to_row, x[i]);
  }
}

// Rows [count, width] -> [width, padded_keys(count)], with zeros behind the last.
struct Transpose {
  ATTNLAB_INLINE static void run(float* to, int64_t to_row, const HeadRows<const float>* from, int64_t count,
                                 int64_t width) {
    for (int64_t i = 0; i < count; i += lanes_size) {
      for (int64_t j = 0; j < width; j += lanes_size) {
        const float* tile = from->row(i) + j;
        if (count - i >= lanes_size) {
          transpose_tile(to + j * to_row + i, to_row, tile, from->stride, lanes_size);
        } else {
          transpose_tile(to + j * to_row + i, to_row, tile, from->stride, count - i);
        }
      }
    }
  }
};

// One row of scores becomes weights; all numbers behind the visible ones become 0.
ATTNLAB_INLINE void softmax_row(float* row, int64_t visible, int64_t width) {
  const Lanes lowest = Lanes{} - std::numeric_limits<float>::infinity();
  Lanes largest = lowest, total = {}, x;
  Bits kept;
  for (int64_t j = 0; j < visible; j += lanes_size) {
    load(x, row + j);
    before(kept, j, visible);
    x = kept ? x : lowest;
    largest = x > largest ? x : largest;
  }
  const float maximum = largest_of(largest);
  for (int64_t j = 0; j < visible; j += lanes_size) {
    load(x, row + j);
    before(kept, j, visible);
    x -= maximum;
    exponentiate(x);
    choose(x, kept);
    total += x;
    store(row + j, x);
  }
  const float share = 1.0F / sum_of(total);
  for (int64_t j = 0; j < visible; j += lanes_size) {
    load(x, row + j);
    store(row + j, x * share);
  }
  for (int64_t j = padded_keys(visible); j < width; j += lanes_size) {
    store(row + j, Lanes{});
  }
}

// Marks those that are dropped as negative; `applied` is what remains.
ATTNLAB_INLINE void drop_row(float* row, float* applied, const uint32_t* words, int64_t visible, uint32_t threshold) {
  for (int64_t j = 0; j < visible; j += lanes_size) {
    Lanes x;
    Bits word;
    load(x, row + j);
    load(word, words + j);
    const Bits dropped = reinterpret_cast<Bits>(word < (Bits{} + threshold));
    store(row + j, reinterpret_cast<Lanes>(reinterpret_cast<Bits>(x) | (dropped & sign)));
    choose(x, ~dropped);
    store(applied + j, x);
  }
}

struct Weigh {
  // Scores of the queries first .. first + count - 1 -> weights, and what the values are multiplied by.
  ATTNLAB_INLINE static void run(const AttentionShape* shape, const AttentionHead* head, int64_t first, int64_t count,
                                 float* weights, float* applied, uint32_t* words) {
    const int64_t width = padded_keys(shape->keys);
    for (int64_t i = 0; i < count; ++i) {
      softmax_row(weights + i * width, shape->visible(first + i, head->seen), width);
    }
    if (shape->mask == nullptr) {
      return;
    }
    const int64_t begin =
        static_cast<int64_t>(shape->mask->first) + (head->index * shape->queries + first) * shape->keys;
    const int64_t end = begin + count * shape->keys;
    const int64_t group = begin / group_size;
    for (int64_t g = group; g * group_size < end; ++g) {
      draw(words + (g - group) * group_size, static_cast<uint64_t>(g), *shape->mask);
    }
    const uint32_t* word = words + (begin - group * group_size);
    for (int64_t i = 0; i < count; ++i) {
      drop_row(weights + i * width, applied + i * width, word + i * shape->keys,
               padded_keys(shape->visible(first + count - 1, head->seen)), shape->mask->threshold);
    }
  }
};

struct WeighBackward {
  // Gradients of applied weights -> those of the scores, in place; zeros behind the visible ones.
  ATTNLAB_INLINE static void run(const AttentionShape* shape, const AttentionHead* head, int64_t first, int64_t count,
                                 const float* weights, float* gradients, float* applied) {
    const int64_t width = padded_keys(shape->keys);
    const float scale = shape->scale, keep = shape->mask != nullptr ? static_cast<float>(shape->mask->scale) : 1.0F;
    for (int64_t i = 0; i < count; ++i) {
      const float* weight = weights + i * width;
      float* gradient = gradients + i * width;
      float* kept = applied + i * width;
      const int64_t visible = shape->visible(first + i, head->seen);
      Lanes sum = {}, w, g;
      for (int64_t j = 0; j < visible; j += lanes_size) {
        load(w, weight + j);
        load(g, gradient + j);
        w = w > 0.0F ? w : Lanes{};
        store(kept + j, w);
        sum += w * g;
      }
      const float mean = sum_of(sum) * keep;
      for (int64_t j = 0; j < visible; j += lanes_size) {
        load(w, weight + j);
        load(g, gradient + j);
        g = w > 0.0F ? g * keep : Lanes{};
        w = reinterpret_cast<Lanes>(reinterpret_cast<Bits>(w) & ~sign);
        store(gradient + j, scale * (w * (g - mean)));
      }
      for (int64_t j = padded_keys(visible); j < width; j += lanes_size) {
        store(gradient + j, Lanes{});
        store(kept + j, Lanes{});
      }
    }
  }
};

float keep_of(const AttentionShape& shape) {
  return shape.mask != nullptr ? static_cast<float>(shape.mask->scale) : 1.0F;
}

// The gradients of keys and values: sums over the queries that see them.
void backward_of_keys(const AttentionShape& shape, const AttentionHead& head, const float* of_scores,
                      const float* applied, HeadRows<const float> of_output, HeadRows<float> of_k,
                      HeadRows<float> of_v) {
  const int64_t width = padded_keys(shape.keys);
  for (int64_t j = 0; j < head.seen; j += block_rows) {
    const int64_t count = std::min(block_rows, head.seen - j);
    const int64_t first = shape.causal ? std::clamp<int64_t>(j - (shape.keys - shape.queries), 0, head.queries) : 0;
    const int64_t inner = head.queries - first, start = first * width + j;
    multiply({count, shape.d_v, inner, applied + start, 1, width, of_output.row(first), of_output.stride, of_v.row(j),
              of_v.stride, keep_of(shape)});
    multiply({count, shape.d_k, inner, of_scores + start, 1, width, head.q.row(first), head.q.stride, of_k.row(j),
              of_k.stride, 1.0F});
  }
  for (int64_t j = head.seen; j < head.keys; ++j) {
    std::fill_n(of_k.row(j), shape.d_k, 0.0F);
    std::fill_n(of_v.row(j), shape.d_v, 0.0F);
  }
}

void attend_in_place(const AttentionShape& shape, const AttentionHead& head, HeadRows<float> output, float* weights,
                     float* scratch) {
  const int64_t width = padded_keys(shape.keys);
  float* keys = scratch;  // [d_k, width]
  float* applied = keys + shape.d_k * width;
  auto* words = reinterpret_cast<uint32_t*>(applied + block_rows * width);
  multiversion<Transpose>(keys, width, &head.k, head.seen, shape.d_k);
  for (int64_t i = 0; i < head.queries; i += block_rows) {
    const int64_t count = std::min(block_rows, head.queries - i), visible = shape.visible(i + count - 1, head.seen);
    float* w = weights + i * width;
    multiply(
        {count, padded_keys(visible), shape.d_k, head.q.row(i), head.q.stride, 1, keys, width, w, width, shape.scale});
    multiversion<Weigh>(&shape, &head, i, count, w, applied, words);
    multiply({count, shape.d_v, visible, shape.mask != nullptr ? applied : w, width, 1, head.v.data, head.v.stride,
              output.row(i), output.stride, keep_of(shape)});
  }
}

void backward_in_place(const AttentionShape& shape, const AttentionHead& head, const float* weights,
                       HeadRows<const float> of_output, HeadRows<float> of_q, HeadRows<float> of_k,
                       HeadRows<float> of_v, float* scratch) {
  const int64_t width = padded_keys(shape.keys);
  float* values = scratch;                        // [d_v, width]
  float* of_scores = values + shape.d_v * width;  // [Tq, width]
  float* applied = of_scores + shape.queries * width;
  multiversion<Transpose>(values, width, &head.v, head.seen, shape.d_v);
  for (int64_t i = 0; i < head.queries; i += block_rows) {
    const int64_t count = std::min(block_rows, head.queries - i), visible = shape.visible(i + count - 1, head.seen);
    float* gradient = of_scores + i * width;
    multiply({count, padded_keys(visible), shape.d_v, of_output.row(i), of_output.stride, 1, values, width, gradient,
              width, 1.0F});
    multiversion<WeighBackward>(&shape, &head, i, count, weights + i * width, gradient, applied + i * width);
    multiply(
        {count, shape.d_k, visible, gradient, width, 1, head.k.data, head.k.stride, of_q.row(i), of_q.stride, 1.0F});
  }
  backward_of_keys(shape, head, of_scores, applied, of_output, of_k, of_v);
}

// A head of any width among whole lanes: rows of its own, with zeros behind each.
class Widened {
 public:
  Widened(const AttentionShape& shape, const AttentionHead& head, float* scratch)
      : shape_(shape), head_(head), next_(scratch) {
    shape_.d_k = padded_keys(shape.d_k);
    shape_.d_v = padded_keys(shape.d_v);
    head_.q = copied(head.q, head.queries, shape.d_k);
    head_.k = copied(head.k, head.seen, shape.d_k);
    head_.v = copied(head.v, head.seen, shape.d_v);
  }

  const AttentionShape& shape() const { return shape_; }
  const AttentionHead& head() const { return head_; }
  float* scratch() const { return next_; }

  HeadRows<float> room(int64_t rows, int64_t width) {
    const HeadRows<float> taken{next_, padded_keys(width)};
    next_ += rows * taken.stride;
    return taken;
  }
  HeadRows<const float> copied(HeadRows<const float> from, int64_t rows, int64_t width) {
    const HeadRows<float> to = room(rows, width);
    for (int64_t i = 0; i < rows; ++i) {
      std::copy_n(from.row(i), width, to.row(i));
      std::fill(to.row(i) + width, to.row(i) + to.stride, 0.0F);
    }
    return {to.data, to.stride};
  }
  static void copy_back(HeadRows<float> to, HeadRows<float> from, int64_t rows, int64_t width) {
    for (int64_t i = 0; i < rows; ++i) {
      std::copy_n(from.row(i), width, to.row(i));
    }
  }

 private:
  AttentionShape shape_;
  AttentionHead head_;
  float* next_;
};

}  // namespace

bool has_attention() {
  return widest_vectors() != Vectors::baseline;
}

int64_t AttentionShape::scratch() const {
  const int64_t width = padded_keys(keys), key_width = padded_keys(d_k), value_width = padded_keys(d_v);
  const int64_t copies = in_place() ? 0 : 2 * (queries + keys) * (key_width + value_width);
  return copies + std::max(key_width, value_width) * width +
         std::max(block_rows * width + words_of_block(keys), 2 * queries * width);
}

void attend(const AttentionShape& shape, const AttentionHead& head, HeadRows<float> output, float* weights,
            float* scratch) {
  if (shape.in_place()) {
    return attend_in_place(shape, head, output, weights, scratch);
  }
  Widened wide(shape, head, scratch);
  const auto result = wide.room(head.queries, shape.d_v);
  attend_in_place(wide.shape(), wide.head(), result, weights, wide.scratch());
  Widened::copy_back(output, result, head.queries, shape.d_v);
}

void attend_backward(const AttentionShape& shape, const AttentionHead& head, const float* weights,
                     HeadRows<const float> of_output, HeadRows<float> of_q, HeadRows<float> of_k, HeadRows<float> of_v,
                     float* scratch) {
  if (shape.in_place()) {
    return backward_in_place(shape, head, weights, of_output, of_q, of_k, of_v, scratch);
  }
  Widened wide(shape, head, scratch);
  const auto given = wide.copied(of_output, head.queries, shape.d_v);
  const auto q = wide.room(head.queries, shape.d_k), k = wide.room(head.keys, shape.d_k),
             v = wide.room(head.keys, shape.d_v);
  backward_in_place(wide.shape(), wide.head(), weights, given, q, k, v, wide.scratch());
  Widened::copy_back(of_q, q, head.queries, shape.d_k);
  Widened::copy_back(of_k, k, head.keys, shape.d_k);
  Widened::copy_back(of_v, v, head.keys, shape.d_v);
}

}  // namespace attnlab::modules::cpu
