#include "experiments/checkpoint/model_state.h"

#include <utility>

#include <fmt/format.h>

namespace attnlab::checkpoint {

void save_model(const std::filesystem::path& path, const torch::nn::Module& model,
                const std::map<std::string, std::string>& metadata) {
  save_tensors(path, named_weights(model), metadata);
}

std::map<std::string, std::string> load_model(const std::filesystem::path& path, torch::nn::Module& model) {
  TensorFile file = load_tensors(path);
  load_weights(model, file.tensors, fmt::format("'{}'", path.string()));
  return std::move(file.metadata);
}

}  // namespace attnlab::checkpoint
