#pragma once
/// Averaging of checkpoints (Vaswani et al. 2017, section 6.1).

#include <filesystem>
#include <optional>
#include <vector>

#include "experiments/checkpoint/identity.h"
#include "experiments/checkpoint/safetensors.h"

namespace attnlab::checkpoint {

/// The mean of each tensor, BatchNorm's running statistics among them, over files that hold the same names and shapes,
/// summed in double, in the type of the first file. Throws attnlab::Error if `paths` is empty, a file is damaged, or
/// one does not match the first or says that it belongs to another run than `owner`.
NamedTensors average_files(const std::vector<std::filesystem::path>& paths,
                           const std::optional<Identity>& owner = std::nullopt);

}  // namespace attnlab::checkpoint
