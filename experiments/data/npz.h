#pragma once
/// Reads NumPy's .npz: a zip archive of .npy arrays. Integers of one dimension or none, which is what token ids and
/// offsets need.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace attnlab::data {

/// The arrays by name (without `.npy`), widened to 64 bits; a scalar has one element. Reads stored and deflated members
/// (`np.savez`, `np.savez_compressed`) of type int32 or int64, little-endian. Throws attnlab::Error that names the file
/// and the array.
std::map<std::string, std::vector<int64_t>> read_npz(const std::filesystem::path& path);

}  // namespace attnlab::data
