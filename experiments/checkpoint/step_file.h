#pragma once
/// The files that belong to one step of a training: `state-120.safetensors`, `weights-120.safetensors`. They come and
/// go while it trains, so they are told apart from what a person put beside them.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace attnlab::checkpoint {

/// "state-120.safetensors" for the kind "state".
std::string step_file(std::string_view kind, int64_t step);

/// The step in such a name. Nothing for a name that `step_file` never gives, as "state-5x.safetensors",
/// "state-05.safetensors".
std::optional<int64_t> step_of(std::string_view kind, std::string_view name);

/// Removes the file of a step that is no longer needed. What is a folder or a link, or holds no checkpoint of that
/// step, is not from this program whatever it is called, and stays.
void remove_step_file(const std::filesystem::path& folder, std::string_view kind, int64_t step);

}  // namespace attnlab::checkpoint
