#pragma once
/// Tensors in one file that Python's `safetensors` opens directly: u64 length of the header, JSON header, raw
/// little-endian data without holes. Format: https://github.com/huggingface/safetensors.

#include <filesystem>
#include <map>
#include <string>

#include "experiments/checkpoint/named_weights.h"
#include "modules/torch.h"

namespace attnlab::checkpoint {

/// What one file holds.
struct TensorFile {
  NamedTensors tensors;                         ///< on the CPU
  std::map<std::string, std::string> metadata;  ///< the header's `__metadata__`
};

/// Writes atomically (temporary name, flush, rename). Types: float64, float32, float16, bfloat16, int64, int32, int16,
/// int8, uint8, bool.
void save_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                  const std::map<std::string, std::string>& metadata = {});

/// Reads and verifies (header, offsets, sizes, and the checksum in the metadata if there is one). Throws attnlab::Error
/// that names the file and what is wrong with it.
TensorFile load_tensors(const std::filesystem::path& path);

/// The metadata alone: reads the header, not the data, and verifies no checksum. Throws attnlab::Error as above.
std::map<std::string, std::string> load_metadata(const std::filesystem::path& path);

}  // namespace attnlab::checkpoint
