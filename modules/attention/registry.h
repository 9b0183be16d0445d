#pragma once
/// All attention kernels by name. No torch here, so that a spec can be read and checked without it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/attention/options.h"

namespace attnlab::modules {

class AttentionKernel;

/// What a kernel can do. What is missing is refused when the options are checked.
struct KernelTraits {
  bool exact = true;  ///< computes softmax(QK^T/sqrt(d_k))V, so a recorder's weights can be computed beside it; false:
                      ///< another function, of which only weights that the kernel itself gives are recorded
  bool weights = false;  ///< gives the weights of every head when a call asks for them
  bool dropout = false;  ///< drops weights by our generator
  bool bias = false;     ///< takes a term that is added to the scores (relative positions)
  bool rotary = true;    ///< takes queries and keys that are turned by their positions
  bool encoder = true;   ///< can stand in encoder self-attention
  bool causal = true;    ///< can stand in decoder self-attention, and in its cached steps
  bool cross = true;     ///< can stand in cross-attention
  bool routed = false;   ///< each call goes the shortest way that `attention/route.h` knows for it

  /// True if it can stand there.
  bool stands_in(AttentionKind kind) const {
    return kind == AttentionKind::encoder ? encoder : kind == AttentionKind::decoder ? causal : cross;
  }
};

/// One kernel.
struct AttentionVariant {
  std::string name;         ///< value of the option `attention`
  std::string description;  ///< one line for a person
  std::string paper;        ///< where it comes from; empty: no single one
  KernelTraits traits;
  /// The kernel of one attention.
  std::shared_ptr<AttentionKernel> (*make)(const MultiHeadAttentionOptions& attention);
  /// How many parameters the kernel of one attention has, by arithmetic; null = none.
  int64_t (*parameters)(const MultiHeadAttentionOptions& attention) = nullptr;
  /// What else it cannot work with, as sentences that begin with a key below `model`; null = nothing. The sizes are
  /// already checked.
  std::vector<std::string> (*problems)(const MultiHeadAttentionOptions& attention) = nullptr;
};

/// Every kernel, in the order in which they are shown.
const std::vector<AttentionVariant>& attention_variants();

/// The kernel of that name, or null.
const AttentionVariant* find_attention(const std::string& name);

}  // namespace attnlab::modules
