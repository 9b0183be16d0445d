#pragma once
/// Which keys an attention's queries may see. This is the one place where masks are built, and they have one meaning:
/// true = may be seen. (LibTorch uses both meanings, and its MultiheadAttention adds a bool mask to the scores instead
/// of masking with it.)

#include <cstdint>

#include "modules/torch.h"

namespace attnlab::modules {

/// True where a position is a token and no padding: [B, length], from `lengths` [B]. Undefined when no row has padding,
/// which can be known without waiting for the device only if `lengths` is on the CPU; elsewhere the mask is always
/// made.
torch::Tensor valid_positions(const torch::Tensor& lengths, int64_t length, torch::Device device);

/// The view of the queries of one attention.
class Visible {
 public:
  /// Every query sees every key.
  static Visible everything() { return {}; }
  /// Every query sees the keys that are no padding; `valid` [B, Tk] or undefined, as `valid_positions` gives it: in
  /// each row true comes before false.
  static Visible tokens(torch::Tensor valid);
  /// Query i sees keys 0..i. With fewer queries than keys, as in cached decoding, the last query sees all keys. Padding
  /// on the right needs no mask of its own here: a token never sees what comes after it, and the rows of the padding
  /// itself are never used.
  static Visible past();

  bool causal() const { return causal_; }
  /// [B, Tk], true = may be seen by every query; undefined = all of them.
  const torch::Tensor& keys() const { return keys_; }
  /// [B] int64 on the CPU: how many keys may be seen by every query; undefined = all of them, or the keys are on
  /// another device.
  const torch::Tensor& counts() const { return counts_; }

  /// True if a query's keys are the first so many of its row: all of them, or `counts`.
  bool is_counted() const { return counts_.defined() || !keys_.defined(); }

  /// The mask of scores [B, H, queries, keys], as a bool tensor that broadcasts to it; undefined when everything may be
  /// seen.
  torch::Tensor mask(int64_t queries, int64_t keys, torch::Device device) const;
  /// True if no mask is needed for so many queries and keys.
  bool sees_all(int64_t queries) const { return !keys_.defined() && (!causal_ || queries == 1); }

 private:
  torch::Tensor keys_, counts_;
  bool causal_ = false;
};

}  // namespace attnlab::modules
