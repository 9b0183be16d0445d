#pragma once
/// All parameters of a model in one block of memory, and their gradients in another: the norm of the gradient, its
/// zeroing and the optimizer are single passes, and no gradient is allocated twice.

#include "experiments/checkpoint/named_weights.h"
#include "modules/torch.h"

namespace attnlab::training {

/// Moves the parameters of a model into one block. The model's tensors stay the same objects (also where one is used in
/// several places); only their memory moves. Matrices come first, vectors (biases, norm gains) after them.
class FlatParameters {
 public:
  /// The parameters must be float32 on one device, and must not be moved afterwards.
  explicit FlatParameters(torch::nn::Module& model);

  /// Everything, with a few zeros between parameters so that each begins on a cache line.
  const torch::Tensor& values() const { return values_; }        ///< [n] float32
  const torch::Tensor& gradients() const { return gradients_; }  ///< [n] float32; backward() adds to it
  int64_t matrix_elements() const {
    return matrix_elements_;
  }  ///< elements that belong to matrices: [0, matrix_elements)

  void zero_gradients() { gradients_.zero_(); }

  /// The part of a tensor laid out like `values` that belongs to each parameter, in its shape; shares memory.
  checkpoint::NamedTensors parts(const torch::Tensor& flat) const;

  /// Makes the parameters of `copy`, a module with the same parameters, views of these values, and gives it gradients
  /// of its own: the result, [n] zeros laid out like `gradients`.
  torch::Tensor share_with(torch::nn::Module& copy) const;

  /// Whether every parameter is finite, and every statistic that the model keeps.
  bool finite() const;

 private:
  struct Part {
    std::string name;
    std::vector<int64_t> shape;
    int64_t begin, size;
  };
  torch::Tensor view(const torch::Tensor& flat, const Part& part) const {
    return flat.narrow(0, part.begin, part.size).view(part.shape);
  }

  std::vector<Part> parts_;  // in the order of the module tree
  int64_t matrix_elements_ = 0;
  torch::Tensor values_, gradients_;
  checkpoint::NamedTensors statistics_;
};

}  // namespace attnlab::training
