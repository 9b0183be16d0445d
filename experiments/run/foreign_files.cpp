#include "experiments/run/foreign_files.h"

#include <array>

#include <fmt/format.h>

#include "experiments/spec/read.h"
#include "experiments/spec/write.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::run {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 8> kNames = {"metrics.jsonl",  "source.model", "target.model", "translations.txt",
                                               "references.txt", "checkpoints",  "attention",    "probes"};

bool stands(const fs::path& path) {
  return fs::exists(fs::symlink_status(path));
}

/// The lock is the first thing that a run leaves in its folder; a sweep writes the record before it starts the run.
bool is_begun(const fs::path& folder) {
  return stands(folder / ".lock") || stands(folder / "run.json");
}

bool is_empty_folder(const fs::path& path) {
  return fs::is_directory(path) && fs::is_empty(path);
}

}  // namespace

void require_free_or_begun(const fs::path& folder) {
  if (stands(folder / "manifest.json"))
    throw Error(folder.string() + " is the folder of a sweep (it has a manifest.json); choose another --out");
  if (is_begun(folder)) return;
  for (const char* name : kNames) {
    if (stands(folder / name) && !is_empty_folder(folder / name))
      throw Error(
          fmt::format("cannot begin a run in '{}': it has a '{}' that no run of attnlab wrote; move it away, or "
                      "choose another --out",
                      folder.string(), name));
  }
}

void require_own_configuration(const fs::path& config) {
  if (!stands(config)) return;
  const std::string own = spec::to_json(spec::read_run_config(config)).dump(2) + "\n";
  if (read_file(config, "the configuration of a run") != own)
    throw Error(
        fmt::format("cannot write '{}': it is a configuration that attnlab did not write, and another one than "
                    "this run's; choose another --out",
                    config.string()));
}

}  // namespace attnlab::run
