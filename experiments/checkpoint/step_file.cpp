#include "experiments/checkpoint/step_file.h"

#include <charconv>
#include <exception>

#include <fmt/format.h>

#include "experiments/checkpoint/safetensors.h"
#include "support/json.h"

namespace attnlab::checkpoint {
namespace {

namespace fs = std::filesystem;

/// Weights note their step, states have it in their progress.
bool holds_step(const fs::path& path, int64_t step) {
  try {
    const auto metadata = load_metadata(path);
    if (const auto note = metadata.find("step"); note != metadata.end()) return note->second == std::to_string(step);
    return parse_json(metadata.at("progress"), path.string()).at("step") == step;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

std::string step_file(std::string_view kind, int64_t step) {
  return fmt::format("{}-{}.safetensors", kind, step);
}

std::optional<int64_t> step_of(std::string_view kind, std::string_view name) {
  if (!name.starts_with(kind) || name.size() <= kind.size()) return std::nullopt;
  const std::string_view rest = name.substr(kind.size() + 1);
  int64_t step = -1;
  std::from_chars(rest.data(), rest.data() + rest.size(), step);
  if (step < 0 || step_file(kind, step) != name) return std::nullopt;
  return step;
}

void remove_step_file(const fs::path& folder, std::string_view kind, int64_t step) {
  const fs::path path = folder / step_file(kind, step);
  if (fs::is_regular_file(fs::symlink_status(path)) && holds_step(path, step)) fs::remove(path);
}

}  // namespace attnlab::checkpoint
