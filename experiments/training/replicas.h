#pragma once
/// Copies of a model that share its parameters, so that several threads can run forward and backward passes at once:
/// each has gradients of its own. On a CPU this is faster than splitting every operator among the threads, since they
/// meet once a step instead of hundreds of times.

#include <cstdint>
#include <vector>

#include "experiments/training/parameters.h"
#include "modules/transformer.h"

namespace attnlab::training {

/// A model and its copies, as many as threads have something to do: one on another device than the CPU, for a norm over
/// the whole batch, or where the gradients of all copies would take more than `most_gradient_bytes`.
class Replicas {
 public:
  static constexpr int64_t most_gradient_bytes = int64_t{2} << 30;

  /// Both arguments must outlive the object, and the parameters are those of `model`.
  Replicas(modules::Transformer& model, FlatParameters& parameters);

  int64_t count() const { return static_cast<int64_t>(copies_.size()) + 1; }
  /// Number `index`; 0 is the model itself.
  modules::Transformer& model(int64_t index);
  /// Sets the gradients of number `index` to 0.
  void zero_gradients(int64_t index);
  /// Adds the gradients of the first `count` to those of the model, in their order.
  void add_gradients(int64_t count);

 private:
  struct Copy {
    modules::Transformer model;
    torch::Tensor gradients;  // [n] like the parameters' own
  };

  modules::Transformer& model_;
  FlatParameters& parameters_;
  std::vector<Copy> copies_;
};

}  // namespace attnlab::training
