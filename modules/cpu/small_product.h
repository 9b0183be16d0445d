#pragma once
/// Matrix products that are too small for a BLAS: a few dozen rows and columns, in the cache. Files that call
/// `multiply` are compiled with contraction of a*b+c.

#include <cstdint>
#include <cstring>

#include "modules/cpu/lanes.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

/// c[i][j] = alpha * sum over k of a[i * a_row + k * a_step] * b[k * b_row + j].
struct SmallProduct {
  int64_t rows, columns, inner;  ///< columns is a multiple of `lanes_size`
  const float* a;
  int64_t a_row, a_step;
  const float* b;
  int64_t b_row;
  float* c;
  int64_t c_row;
  float alpha;
};

template <int Rows, int Vectors>
ATTNLAB_INLINE void product_tile(const SmallProduct& p, int64_t row, int64_t column) {
  const float* a = p.a + row * p.a_row;
  const float* b = p.b + column;
  Lanes sum[Rows][Vectors] = {};
  for (int64_t k = 0; k < p.inner; ++k) {
    Lanes x[Vectors];
    std::memcpy(x, b + k * p.b_row, sizeof x);
    for (int r = 0; r < Rows; ++r) {
      const float factor = a[r * p.a_row + k * p.a_step];
      for (int v = 0; v < Vectors; ++v) {
        sum[r][v] += factor * x[v];
      }
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) {
      sum[r][v] *= p.alpha;
    }
    std::memcpy(p.c + (row + r) * p.c_row + column, sum[r], sizeof sum[r]);
  }
}

/// The last rows, fewer than `Rows`.
template <int Rows, int Vectors>
ATTNLAB_INLINE void product_rest(const SmallProduct& p, int64_t row, int64_t column) {
  if constexpr (Rows > 0) {
    if (p.rows - row == Rows) {
      product_tile<Rows, Vectors>(p, row, column);
    } else {
      product_rest<Rows - 1, Vectors>(p, row, column);
    }
  }
}

template <int Rows, int Vectors>
ATTNLAB_INLINE void product_columns(const SmallProduct& p, int64_t column) {
  int64_t row = 0;
  for (; row + Rows <= p.rows; row += Rows) {
    product_tile<Rows, Vectors>(p, row, column);
  }
  product_rest<Rows - 1, Vectors>(p, row, column);
}

/// Tiles that fill the 32 registers of AVX-512.
struct WideProduct {
  ATTNLAB_INLINE static void run(const SmallProduct* p) {
    int64_t column = 0;
    for (; column + 4 * lanes_size <= p->columns; column += 4 * lanes_size) {
      product_columns<6, 4>(*p, column);
    }
    for (; column + 2 * lanes_size <= p->columns; column += 2 * lanes_size) {
      product_columns<8, 2>(*p, column);
    }
    for (; column < p->columns; column += lanes_size) {
      product_columns<8, 1>(*p, column);
    }
  }
};

/// Tiles for the 16 registers of half the width of AVX2.
struct NarrowProduct {
  ATTNLAB_INLINE static void run(const SmallProduct* p) {
    for (int64_t column = 0; column < p->columns; column += lanes_size) {
      product_columns<6, 1>(*p, column);
    }
  }
};

inline void multiply(const SmallProduct& product) {
#if defined(__x86_64__)
  if (widest_vectors() == Vectors::avx512) {
    return run_avx512<WideProduct>(&product);
  }
#endif
  multiversion<NarrowProduct>(&product);
}

}  // namespace attnlab::modules::cpu
