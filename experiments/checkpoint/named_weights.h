#pragma once
/// The weights of a model as named tensors, and back: its parameters, and its buffers, which are statistics that
/// training keeps (BatchNorm's). A name is the path in the module tree, e.g. `encoder.layers.0.self_attention.w_q`. A
/// parameter that stands in several places (tied embeddings) is one tensor, under the first of its names.

#include <string>
#include <utility>
#include <vector>

#include "modules/torch.h"

namespace attnlab::checkpoint {

/// Tensors by name, in the order in which they are written.
using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

/// The distinct parameters with their first names, in the order of the module tree. The tensors are the parameters
/// themselves.
NamedTensors named_parameters(const torch::nn::Module& model);

/// The buffers with their names, in the order of the module tree. The tensors are the buffers themselves.
NamedTensors named_buffers(const torch::nn::Module& model);

/// All that a file of weights holds: the parameters, then the buffers.
NamedTensors named_weights(const torch::nn::Module& model);

/// Copies `tensors` into the parameters and buffers of the same names, in place: whoever shares their storage sees the
/// new values. Nothing is changed unless all names and shapes fit. Throws attnlab::Error that lists what is missing,
/// unknown or has another shape; `where` (a file's name) begins the message.
void load_weights(torch::nn::Module& model, const NamedTensors& tensors, const std::string& where);

}  // namespace attnlab::checkpoint
