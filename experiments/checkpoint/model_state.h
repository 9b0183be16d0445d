#pragma once
/// The weights of a model (`named_weights.h`) as a file.

#include <filesystem>
#include <map>
#include <string>

#include "experiments/checkpoint/named_weights.h"
#include "experiments/checkpoint/safetensors.h"
#include "modules/torch.h"

namespace attnlab::checkpoint {

/// `save_tensors` of the weights.
void save_model(const std::filesystem::path& path, const torch::nn::Module& model,
                const std::map<std::string, std::string>& metadata = {});

/// `load_tensors` and `load_weights`; gives the file's metadata.
std::map<std::string, std::string> load_model(const std::filesystem::path& path, torch::nn::Module& model);

}  // namespace attnlab::checkpoint
