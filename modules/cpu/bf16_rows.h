#pragma once
/// Float32 matrices rounded to bfloat16 (to nearest, ties to even) in the arrangements that products of bfloat16 read:
/// the left factor as rows, the right one as pairs of rows, element by element. No torch here.

#include <cstdint>

#include "modules/cpu/drop.h"

namespace attnlab::modules::cpu {

/// A part of a matrix in memory: row i begins at data + i * stride.
struct FloatMatrix {
  const float* data;
  int64_t rows, columns, stride;
};

/// How many numbers a row or column of `count` has when it is filled up to whole pairs.
constexpr int64_t whole_pairs(int64_t count) {
  return (count + 1) / 2 * 2;
}

/// x as rows: out [rows, whole_pairs(columns)], filled up with 0.
void round_rows(const FloatMatrix& x, Bfloat16* out);

/// The transposed of x as rows: out [columns, width], filled up with 0. `width` is even and at least x.rows.
void round_transposed(const FloatMatrix& x, Bfloat16* out, int64_t width);

/// x as pairs of rows: out [height / 2, columns, 2], filled up with 0. `height` is even and at least x.rows.
void pair_rows(const FloatMatrix& x, Bfloat16* out, int64_t height);

/// The transposed of x as pairs of rows: out [whole_pairs(columns) / 2, rows, 2], filled up with 0.
void pair_columns(const FloatMatrix& x, Bfloat16* out);

}  // namespace attnlab::modules::cpu
