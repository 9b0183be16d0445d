#pragma once
/// The interface of position methods. One object serves one stack: the absolute positions of its tokens are given, so
/// neither padding nor a cache shifts anything. A new method is one file here and one line in `positions/registry.cpp`.

#include <cstdint>

#include "modules/initializer.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// Tokens at the absolute positions first, first + 1, ..., first + count - 1.
struct PositionRange {
  int64_t first = 0;
  int64_t count = 0;
  int64_t end() const { return first + count; }
};

/// One way to tell a stack where its tokens stand. Every hook does nothing unless a method overrides it; which ones it
/// overrides is written in its traits (`positions/registry.h`), and the hooks of attention are called only if they say
/// so.
class Positions : public torch::nn::Module {
 public:
  /// Absolute methods: `x` [B, T, D], the scaled embeddings of the tokens at `range` -> [B, T, D]. `valid` [B, T] is
  /// true where a row is no padding; undefined when all are.
  virtual torch::Tensor embed(const torch::Tensor& x, PositionRange, const torch::Tensor& /*valid*/) { return x; }

  /// Rotary methods: queries or keys [B, H, T, d_k] of the tokens at `range`; keys are rotated before they are cached.
  virtual torch::Tensor rotate(const torch::Tensor& q_or_k, PositionRange) { return q_or_k; }

  /// Relative methods: what is added to the scaled scores of layer `layer`, broadcasting to [B, H, Tq, Tk]. `q` [B, H,
  /// Tq, d_k] and `k` [B, H, Tk, d_k] are after `rotate`.
  virtual torch::Tensor bias(int64_t /*layer*/, const torch::Tensor& /*q*/, const torch::Tensor& /*k*/,
                             PositionRange /*queries*/, PositionRange /*keys*/) {
    return {};
  }

  /// Relative methods with a value term (Shaw et al. 2018): what is added to the heads' output [B, H, Tq, d_v], from
  /// the weights [B, H, Tq, Tk] by which the values were multiplied.
  virtual torch::Tensor value(int64_t /*layer*/, const torch::Tensor& /*weights*/, PositionRange /*queries*/,
                              PositionRange /*keys*/) {
    return {};
  }

  /// Draws the method's parameters, if it has any.
  virtual void reset_parameters(const Initializer&) {}
};

}  // namespace attnlab::modules
