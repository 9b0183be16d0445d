#pragma once
/// The weights of a model as named tensors, and back. A name is the parameter's path in the module tree, e.g.
/// `encoder.layers.0.self_attention.w_q`. A parameter that stands in several places (tied embeddings) is one tensor,
/// saved under the first of its names.

#include <filesystem>
#include <string>

#include <torch/torch.h>

#include "experiments/checkpoint/safetensors.h"

namespace attnlab::checkpoint {

/// The distinct parameters with their first names, in the order of the module tree. The tensors are the parameters
/// themselves.
NamedTensors named_parameters(const torch::nn::Module& model);

/// Copies `tensors` into the parameters of the same names, in place: whoever shares a parameter's storage sees the new
/// values. Nothing is changed unless all names and shapes fit. Throws attnlab::Error that lists what is missing,
/// unknown or has another shape; `where` (a file's name) begins the message.
void load_parameters(torch::nn::Module& model, const NamedTensors& tensors, const std::string& where);

/// `save_tensors` of the parameters.
void save_model(const std::filesystem::path& path, const torch::nn::Module& model,
                const std::map<std::string, std::string>& metadata = {});

/// `load_tensors` and `load_parameters`; gives the file's metadata.
std::map<std::string, std::string> load_model(const std::filesystem::path& path, torch::nn::Module& model);

}  // namespace attnlab::checkpoint
