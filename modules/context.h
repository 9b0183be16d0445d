#pragma once
/// Everything that travels beside the tensors through one forward pass. It is passed explicitly, call by call; nothing
/// is global.

#include "modules/dropout.h"
#include "modules/options.h"
#include "modules/torch.h"

namespace attnlab::modules {

class AttentionRecorder;

/// One gate for each head of each attention, multiplied onto that head's output: 1 leaves it, 0 removes the head
/// (Michel et al. 2019). An undefined tensor stands for all ones.
struct HeadGates {
  torch::Tensor encoder;  ///< [N, H] encoder self-attention
  torch::Tensor decoder;  ///< [N, H] decoder self-attention
  torch::Tensor cross;    ///< [N, H] decoder cross-attention

  /// Those of one attention.
  torch::Tensor& of(AttentionKind kind) {
    return kind == AttentionKind::encoder ? encoder : kind == AttentionKind::decoder ? decoder : cross;
  }
  const torch::Tensor& of(AttentionKind kind) const { return const_cast<HeadGates*>(this)->of(kind); }
};

/// The companions of one forward pass. All may be null.
struct Context {
  DropoutStream* dropout = nullptr;       ///< null: nothing is dropped (evaluation)
  AttentionRecorder* recorder = nullptr;  ///< receives every head's weights, before dropout; changes no output
  const HeadGates* gates = nullptr;       ///< head mask
};

/// Receives the attention weights of a forward pass, once for each attention whose kernel has weights.
class AttentionRecorder {
 public:
  virtual ~AttentionRecorder() = default;
  /// `weights` [B, H, Tq, Tk]: rows are queries and sum to 1 (0 for a row that may see nothing), before dropout.
  virtual void record(AttentionKind kind, int64_t layer, const torch::Tensor& weights) = 0;
};

}  // namespace attnlab::modules
