#include "experiments/checkpoint/named_weights.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/error.h"

namespace attnlab::checkpoint {
namespace {

std::string shape_of(const torch::Tensor& tensor) {
  return fmt::format("[{}]", fmt::join(tensor.sizes(), ", "));
}

const torch::Tensor* find(const NamedTensors& tensors, const std::string& name) {
  for (const auto& entry : tensors) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

/// What keeps `tensors` from being the values of `weights`, one sentence each.
std::vector<std::string> misfits(const NamedTensors& weights, const NamedTensors& tensors) {
  std::vector<std::string> found;
  for (const auto& [name, weight] : weights) {
    const torch::Tensor* value = find(tensors, name);
    if (!value) {
      found.push_back(fmt::format("'{}' is missing", name));
    } else if (value->sizes() != weight.sizes()) {
      found.push_back(fmt::format("'{}' has shape {}, the model needs {}", name, shape_of(*value), shape_of(weight)));
    }
  }
  for (const auto& entry : tensors) {
    if (!find(weights, entry.first)) found.push_back(fmt::format("'{}' is unknown to the model", entry.first));
  }
  return found;
}

}  // namespace

NamedTensors named_parameters(const torch::nn::Module& model) {
  NamedTensors distinct;
  std::set<const void*> seen;
  for (const auto& item : model.named_parameters()) {
    if (seen.insert(item.value().unsafeGetTensorImpl()).second) distinct.emplace_back(item.key(), item.value());
  }
  return distinct;
}

NamedTensors named_buffers(const torch::nn::Module& model) {
  NamedTensors named;
  for (const auto& item : model.named_buffers()) named.emplace_back(item.key(), item.value());
  return named;
}

NamedTensors named_weights(const torch::nn::Module& model) {
  NamedTensors weights = named_parameters(model);
  const NamedTensors buffers = named_buffers(model);
  weights.insert(weights.end(), buffers.begin(), buffers.end());
  return weights;
}

void load_weights(torch::nn::Module& model, const NamedTensors& tensors, const std::string& where) {
  const NamedTensors weights = named_weights(model);
  const std::vector<std::string> found = misfits(weights, tensors);
  if (!found.empty()) {
    throw Error(
        fmt::format("{}: these weights do not belong to this model: {}. Use the configuration that they were "
                    "trained with.",
                    where, fmt::join(found, "; ")));
  }
  torch::NoGradGuard no_grad;
  for (const auto& [name, weight] : weights) torch::Tensor(weight).copy_(*find(tensors, name));
}

}  // namespace attnlab::checkpoint
