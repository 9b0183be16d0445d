#include "modules/cpu/bf16_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

namespace {

constexpr int64_t side = 16;  // of the squares of words that are transposed at once

/// Two bfloat16 numbers beside each other, the first in the lower half.
using Word = uint32_t;
using Words = Word __attribute__((vector_size(side * sizeof(Word))));

ATTNLAB_INLINE Word rounded(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t nearest = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
  return x == x ? nearest : 0x7FC0U;
}

ATTNLAB_INLINE Word pair(float first, float second) {
  return rounded(first) | rounded(second) << 16U;
}

/// Interleaving the upper half of the rows with the lower one moves the highest bit of the row's number to the lowest
/// place of the column's: after four times rows are columns.
ATTNLAB_INLINE void transpose(Words (&square)[side]) {
  for (int round = 0; round < 4; ++round) {
    Words next[side];
    for (int i = 0; i < side / 2; ++i) {
      const Words a = square[i], b = square[i + side / 2];
      next[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      next[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
    std::memcpy(square, next, sizeof next);
  }
}

/// out [columns, rows] of the words [rows, columns] that `fill(row, first column, count, words)` gives, row by row.
template <class Fill>
ATTNLAB_INLINE void transposed_words(int64_t rows, int64_t columns, Bfloat16* out, const Fill& fill) {
  for (int64_t row = 0; row < rows; row += side) {
    const int64_t height = std::min(side, rows - row);
    for (int64_t column = 0; column < columns; column += side) {
      const int64_t width = std::min(side, columns - column);
      alignas(64) Words square[side] = {};
      for (int64_t i = 0; i < height; ++i) {
        alignas(64) Word words[side] = {};
        fill(row + i, column, width, words);
        std::memcpy(&square[i], words, sizeof words);
      }
      transpose(square);
      for (int64_t j = 0; j < width; ++j) {
        std::memcpy(out + ((column + j) * rows + row) * 2, &square[j], static_cast<size_t>(height) * sizeof(Word));
      }
    }
  }
}

/// Words of two rows; `second` null: of one row and zeros.
ATTNLAB_INLINE void pair_two_rows(const float* first, const float* second, int64_t count, Word* out) {
  if (second == nullptr) {
    for (int64_t j = 0; j < count; ++j) {
      out[j] = rounded(first[j]);
    }
  } else {
    for (int64_t j = 0; j < count; ++j) {
      out[j] = pair(first[j], second[j]);
    }
  }
}

struct RoundRows {
  ATTNLAB_INLINE static void run(const FloatMatrix* x, Bfloat16* out) {
    for (int64_t i = 0; i < x->rows; ++i) {
      const float* from = x->data + i * x->stride;
      for (int64_t j = 0; j < x->columns; ++j) {
        out[j].bits = static_cast<uint16_t>(rounded(from[j]));
      }
      out += x->columns;
      if (x->columns % 2 != 0) {
        (out++)->bits = 0;
      }
    }
  }
};

struct RoundTransposed {
  ATTNLAB_INLINE static void run(const FloatMatrix* x, Bfloat16* out, int64_t width) {
    transposed_words(width / 2, x->columns, out,
                     [x](int64_t pair_of_rows, int64_t column, int64_t count, Word* words) ATTNLAB_INLINE_LAMBDA {
                       const int64_t row = 2 * pair_of_rows;
                       if (row < x->rows) {
                         const float* first = x->data + row * x->stride + column;
                         pair_two_rows(first, row + 1 < x->rows ? first + x->stride : nullptr, count, words);
                       }
                     });
  }
};

struct PairRows {
  ATTNLAB_INLINE static void run(const FloatMatrix* x, Bfloat16* out, int64_t height) {
    auto* words = reinterpret_cast<Word*>(out);
    for (int64_t row = 0; row < height; row += 2, words += x->columns) {
      const float* first = x->data + row * x->stride;
      if (row < x->rows) {
        pair_two_rows(first, row + 1 < x->rows ? first + x->stride : nullptr, x->columns, words);
      } else {
        std::fill_n(words, x->columns, Word{0});
      }
    }
  }
};

struct PairColumns {
  ATTNLAB_INLINE static void run(const FloatMatrix* x, Bfloat16* out) {
    const int64_t pairs = whole_pairs(x->columns) / 2;
    transposed_words(x->rows, pairs, out,
                     [x](int64_t row, int64_t first_pair, int64_t count, Word* words) ATTNLAB_INLINE_LAMBDA {
                       const int64_t column = 2 * first_pair;
                       const float* from = x->data + row * x->stride + column;
                       const int64_t whole = std::min(count, (x->columns - column) / 2);
                       for (int64_t j = 0; j < whole; ++j) {
                         words[j] = pair(from[2 * j], from[2 * j + 1]);
                       }
                       if (whole < count) {
                         words[whole] = rounded(from[2 * whole]);
                       }
                     });
  }
};

}  // namespace

void round_rows(const FloatMatrix& x, Bfloat16* out) {
  multiversion<RoundRows>(&x, out);
}

void round_transposed(const FloatMatrix& x, Bfloat16* out, int64_t width) {
  multiversion<RoundTransposed>(&x, out, width);
}

void pair_rows(const FloatMatrix& x, Bfloat16* out, int64_t height) {
  multiversion<PairRows>(&x, out, height);
}

void pair_columns(const FloatMatrix& x, Bfloat16* out) {
  multiversion<PairColumns>(&x, out);
}

}  // namespace attnlab::modules::cpu
