#pragma once
/// What the tests of the modules share: expected numbers from files, comparison of tensors, gradients by finite
/// differences.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>

#include "modules/context.h"
#include "modules/options.h"
#include "modules/torch.h"
#include "tests/support/catch.h"

namespace attnlab::modules::testing {

/// A file of tests/modules/data, written by a script of tests/oracles/modules.
inline nlohmann::json expected(const std::string& name) {
  std::ifstream file(std::string(ATTNLAB_TESTS_DIR) + "/modules/data/" + name);
  REQUIRE(file.good());
  return nlohmann::json::parse(file);
}

inline torch::Tensor tensor_of(const nlohmann::json& stored, torch::ScalarType dtype = torch::kFloat64) {
  const auto data = stored.at("data").get<std::vector<double>>();
  const auto shape = stored.at("shape").get<std::vector<int64_t>>();
  return torch::tensor(data, torch::kFloat64).view(shape).to(dtype);
}

/// The largest absolute difference; infinite where one is not finite or the shapes differ.
inline double difference(const torch::Tensor& a, const torch::Tensor& b) {
  const auto distance =
      a.sizes() == b.sizes() ? (a.to(torch::kFloat64) - b.to(torch::kFloat64)).abs().max() : torch::full({}, INFINITY);
  return distance.isfinite().item<bool>() ? distance.item<double>() : INFINITY;
}

inline bool all_finite(const torch::Tensor& x) {
  return x.isfinite().all().item<bool>();
}

/// Copies stored parameters by name; each must be there, and the module must have no other. The module gets their
/// dtype.
inline void load(torch::nn::Module& module, const nlohmann::json& stored, torch::ScalarType dtype) {
  module.to(dtype);
  const torch::NoGradGuard no_grad;
  auto parameters = module.named_parameters();
  CHECK(parameters.size() == stored.size());
  for (auto& parameter : parameters) {
    INFO(parameter.key());
    REQUIRE(stored.contains(parameter.key()));
    const auto value = tensor_of(stored.at(parameter.key()), dtype);
    REQUIRE(parameter.value().sizes() == value.sizes());
    parameter.value().copy_(value);
  }
}

/// Compares every parameter's gradient with the stored one, relative to its largest element where that is above 1.
inline void check_gradients(const torch::nn::Module& module, const nlohmann::json& stored, double tolerance) {
  for (const auto& parameter : module.named_parameters()) {
    INFO(parameter.key());
    REQUIRE(parameter.value().grad().defined());
    const auto gradient = tensor_of(stored.at(parameter.key()));
    const double size = std::max(1.0, gradient.abs().max().item<double>());
    CHECK(difference(parameter.value().grad(), gradient) < tolerance * size);
  }
}

/// Compares autograd's gradient of sum(f() * r), r fixed and random, with central differences in double precision, for
/// every element of every tensor of `inputs` (leaves that require a gradient and that `f` reads).
inline void check_by_differences(const std::function<torch::Tensor()>& f, const std::vector<torch::Tensor>& inputs,
                                 double tolerance = 1e-6) {
  const auto shape = f().sizes().vec();
  const auto r = torch::sin(torch::arange(torch::zeros(shape).numel(), torch::kFloat64) * 1.7 + 0.3).view(shape);
  const auto gradients = torch::autograd::grad({(f() * r).sum()}, inputs);
  const torch::NoGradGuard no_grad;
  const double step = 1e-5;
  for (size_t which = 0; which < inputs.size(); ++which) {
    auto flat = inputs[which].view(-1);
    auto numeric = torch::zeros_like(flat);
    for (int64_t i = 0; i < flat.numel(); ++i) {
      const double kept = flat[i].item<double>();
      flat[i] = kept + step;
      const double above = (f() * r).sum().item<double>();
      flat[i] = kept - step;
      const double below = (f() * r).sum().item<double>();
      flat[i] = kept;
      numeric[i] = (above - below) / (2 * step);
    }
    INFO("input " << which);
    CHECK(difference(gradients[which].reshape(-1), numeric) < tolerance);
  }
}

/// All parameters of a module, and `more`.
inline std::vector<torch::Tensor> leaves(const torch::nn::Module& module, std::vector<torch::Tensor> more = {}) {
  for (const auto& parameter : module.parameters()) {
    more.push_back(parameter);
  }
  return more;
}

/// Numbers that look random and are the same everywhere, in [-1, 1].
inline torch::Tensor scattered(std::vector<int64_t> shape, double phase = 0,
                               torch::ScalarType dtype = torch::kFloat64) {
  const auto count = torch::zeros(shape).numel();
  return torch::sin(torch::arange(count, torch::kFloat64) * 12.9898 + phase).view(shape).to(dtype);
}

/// Gives every parameter such numbers, gains and all: for gradient checks.
inline void scatter_parameters(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  double phase = 0.5;
  for (auto& parameter : module.parameters()) {
    parameter.copy_(scattered(parameter.sizes().vec(), phase += 1.1) * 0.6);
  }
}

/// A model that fits into a test. Without dropout.
inline TransformerOptions small_options() {
  TransformerOptions options;
  options.d_model = 8;
  options.heads = 2;
  options.d_ff = 12;
  options.encoder_layers = options.decoder_layers = 2;
  options.source_vocab = options.target_vocab = 11;
  options.encoder_positions.max_length = options.decoder_positions.max_length = 40;
  options.dropout = {0, 0, 0, 0};
  return options;
}

/// Keeps everything that is recorded.
class Recorder : public AttentionRecorder {
 public:
  struct Entry {
    AttentionKind kind;
    int64_t layer;
    torch::Tensor weights;
  };
  void record(AttentionKind kind, int64_t layer, const torch::Tensor& weights) override {
    entries.push_back({kind, layer, weights});
  }
  std::vector<Entry> entries;
};

}  // namespace attnlab::modules::testing
