#include "experiments/run_folder/configuration.h"

#include <fmt/format.h>

#include "experiments/spec/read.h"
#include "experiments/spec/write.h"
#include "support/error.h"
#include "support/json.h"
#include "support/sha256.h"

namespace attnlab::run_folder {
namespace {

namespace fs = std::filesystem;

constexpr size_t kShownDigits = 12;

Json read_record(const fs::path& path) {
  try {
    return read_json(path, "the record of a run");
  } catch (const Error& problem) {
    throw Error(fmt::format("{}; delete the file to go on without the record", problem.what()));
  }
}

/// The hash in run.json; empty if there is none.
std::string recorded_hash(const fs::path& folder) {
  const fs::path path = folder / "run.json";
  if (!fs::exists(path)) return "";
  const Json record = read_record(path);
  const auto hash = Json::json_pointer("/inputs/configuration");
  return record.contains(hash) && record[hash].is_string() ? record[hash].get<std::string>() : "";
}

}  // namespace

std::string configuration_hash(const spec::RunConfig& config) {
  return sha256_hex(spec::canonical_json(config).dump());
}

spec::RunConfig read_configuration(const fs::path& folder) {
  spec::RunConfig config = spec::read_run_config(folder / "config.json");
  const std::string recorded = recorded_hash(folder), present = configuration_hash(config);
  if (recorded.empty() || recorded == present) return config;
  throw Error(
      fmt::format("{} was changed after the run began (SHA-256 {}... here, {}... in {}): bring the old file back, or "
                  "make a run of its own in another folder",
                  (folder / "config.json").string(), present.substr(0, kShownDigits), recorded.substr(0, kShownDigits),
                  (folder / "run.json").string()));
}

}  // namespace attnlab::run_folder
