#include "experiments/checkpoint/model_state.h"

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

/// What keeps `tensors` from being the values of `parameters`, one sentence each.
std::vector<std::string> misfits(const NamedTensors& parameters, const NamedTensors& tensors) {
  std::vector<std::string> found;
  for (const auto& [name, parameter] : parameters) {
    const torch::Tensor* value = find(tensors, name);
    if (!value) {
      found.push_back(fmt::format("'{}' is missing", name));
    } else if (value->sizes() != parameter.sizes()) {
      found.push_back(
          fmt::format("'{}' has shape {}, the model needs {}", name, shape_of(*value), shape_of(parameter)));
    }
  }
  for (const auto& entry : tensors) {
    if (!find(parameters, entry.first)) found.push_back(fmt::format("'{}' is unknown to the model", entry.first));
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

void load_parameters(torch::nn::Module& model, const NamedTensors& tensors, const std::string& where) {
  const NamedTensors parameters = named_parameters(model);
  const std::vector<std::string> found = misfits(parameters, tensors);
  if (!found.empty()) {
    throw Error(
        fmt::format("{}: these weights do not belong to this model: {}. Use the configuration that they were "
                    "trained with.",
                    where, fmt::join(found, "; ")));
  }
  torch::NoGradGuard no_grad;
  for (const auto& [name, parameter] : parameters) torch::Tensor(parameter).copy_(*find(tensors, name));
}

void save_model(const std::filesystem::path& path, const torch::nn::Module& model,
                const std::map<std::string, std::string>& metadata) {
  save_tensors(path, named_parameters(model), metadata);
}

std::map<std::string, std::string> load_model(const std::filesystem::path& path, torch::nn::Module& model) {
  TensorFile file = load_tensors(path);
  load_parameters(model, file.tensors, fmt::format("'{}'", path.string()));
  return std::move(file.metadata);
}

}  // namespace attnlab::checkpoint
