#pragma once
/// Draws parameters. Each has a stream of its own, named by the seed and the parameter's full name, so its values
/// depend neither on the device, nor on the number of threads, nor on which other parameters there are.

#include <cstdint>
#include <string>
#include <string_view>

#include "modules/torch.h"

namespace attnlab::modules {

class Initializer {
 public:
  explicit Initializer(uint64_t seed) : seed_(seed) {}

  /// The initializer of a submodule: names that it is given are below `name`.
  Initializer at(std::string_view name) const;

  /// `parameter` [out, in] from U(-a, a) with a = gain * sqrt(6 / (in + out)) (Glorot and Bengio 2010).
  void xavier_uniform(const torch::Tensor& parameter, std::string_view name, double gain = 1) const;
  /// `parameter` from N(0, deviation^2).
  void normal(const torch::Tensor& parameter, std::string_view name, double deviation) const;

 private:
  Initializer(uint64_t seed, std::string scope) : seed_(seed), scope_(std::move(scope)) {}
  uint64_t stream(std::string_view name) const;

  uint64_t seed_;
  std::string scope_;  // empty, or ends in a dot
};

}  // namespace attnlab::modules
