#pragma once
/// The keys and values of one attention in cached decoding. Each stands once, wherever it was written; rows that share
/// them, as the beams of a sentence share their past and their source, name the same places.

#include <cstdint>

#include "modules/torch.h"

namespace attnlab::modules {

/// Keys and values at N places, and which of them are whose.
struct KeyPool {
  torch::Tensor keys;    ///< [N, H*d_k], a view
  torch::Tensor values;  ///< [N, H*d_v], a view
  int64_t used = 0;      ///< where `append` goes on writing
  torch::Tensor places;  ///< [R, T] int64: where key and value j of row r stand

  /// Writes `new_keys` [B, H, T, d_k] and `new_values` [B, H, T, d_v] to the next free places, row by row. `places`
  /// must name them already.
  void append(const torch::Tensor& new_keys, const torch::Tensor& new_values);

  /// A copy for each row, as kernels take them: [R, H, T, d_k] and [R, H, T, d_v].
  torch::Tensor keys_of_rows(int64_t heads) const { return of_rows(keys, heads); }
  torch::Tensor values_of_rows(int64_t heads) const { return of_rows(values, heads); }

 private:
  void make_room(const torch::Tensor& like, int64_t key_width, int64_t value_width, int64_t needed);
  torch::Tensor of_rows(const torch::Tensor& held, int64_t heads) const;
};

}  // namespace attnlab::modules
