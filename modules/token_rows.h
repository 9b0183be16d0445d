#pragma once
/// A batch without its padding: the tokens of all sequences as rows behind each other. Everything that works row by row
/// (projections, feed-forward networks, norms, dropout, the output) then does no work on padding; attention alone asks
/// where a sequence begins.

#include <cstdint>

#include "modules/torch.h"

namespace attnlab::modules {

/// Where the N tokens of a padded batch [B, T] stand among its rows, and back.
class TokenRows {
 public:
  /// `lengths` [B] int64; best on the CPU, or the device must be waited for. Rows will be on `device`. `first_row`: how
  /// many rows of the batch come before these, if they are a part of it.
  TokenRows(const torch::Tensor& lengths, int64_t width, torch::Device device, int64_t first_row = 0);

  int64_t batch() const { return lengths_.size(0); }  ///< B
  int64_t width() const { return width_; }            ///< T, padding included
  int64_t count() const { return count_; }            ///< N
  int64_t first_row() const { return first_row_; }
  /// [B] int64 on the CPU: tokens of each sequence.
  const torch::Tensor& lengths() const { return lengths_; }
  /// [B] int64 on the CPU: the row of each sequence's first token.
  const torch::Tensor& starts() const { return starts_; }

  /// `padded` [B, T, ...] -> [N, ...].
  torch::Tensor gather(const torch::Tensor& padded) const;
  /// `rows` [N, ...] -> [B, T, ...], 0 at padding.
  torch::Tensor scatter(const torch::Tensor& rows) const;

 private:
  int64_t width_, count_, first_row_;
  torch::Tensor lengths_, starts_;
  torch::Tensor places_;  // [N] int64 on the device: b * T + t; undefined without padding
};

}  // namespace attnlab::modules
