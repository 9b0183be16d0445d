#include "experiments/sweep/own_files.h"

#include <array>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "experiments/sweep/manifest.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = ".written";
constexpr const char* kHeading = "# The files that attnlab wrote here; it replaces and removes no others.";
constexpr const char* kAll = "*";  // a sweep of a version without lists

/// The pictures that every version draws under the same names.
constexpr std::array<const char*, 4> kLastingPictures = {"figures/cells.svg", "figures/effects.svg",
                                                         "figures/training_loss.svg", "figures/validation_loss.svg"};

bool stands(const fs::path& path) {
  return fs::exists(fs::symlink_status(path));
}

/// The lines of a list below its heading; nothing if there is no list.
std::optional<std::set<std::string>> read_list(const fs::path& out) {
  const fs::path path = out / kList;
  if (!stands(path)) return std::nullopt;
  std::istringstream text(read_file(path, "the list of a sweep's own files"));
  std::string line;
  std::getline(text, line);
  if (line != kHeading)
    throw Error(fmt::format("'{}' is no list of the files that attnlab wrote; move it away, or choose another folder",
                            path.string()));
  std::set<std::string> names;
  while (std::getline(text, line)) names.insert(line);
  return names;
}

/// Whether a version without lists began a sweep here. Throws attnlab::Error if the manifest is not a sweep's.
bool is_older_sweep(const fs::path& out) {
  if (!stands(out / "manifest.json")) return false;
  read_manifest(out);
  return true;
}

[[noreturn]] void refuse(const fs::path& path) {
  throw Error(fmt::format(
      "cannot write '{}': a file is there that attnlab did not write; move it away, or choose another folder",
      path.string()));
}

}  // namespace

OwnFiles::OwnFiles(fs::path out) : out_(std::move(out)) {
  if (read()) return;
  takes_all_ = is_older_sweep(out_);
  if (takes_all_) names_.insert(kLastingPictures.begin(), kLastingPictures.end());
  rewrite();
}

bool OwnFiles::read() {
  auto names = read_list(out_);
  if (!names) return false;
  names_ = std::move(*names);
  takes_all_ = names_.erase(kAll) > 0;
  return true;
}

void OwnFiles::write(const std::string& name, std::string_view content) {
  if (!owns(name) && stands(out_ / name)) refuse(out_ / name);
  if (names_.insert(name).second) {
    // Before the file, so that none is ever there unlisted.
    std::ofstream list(out_ / kList, std::ios::binary | std::ios::app);
    list << name + "\n" << std::flush;
    if (!list) throw Error(fmt::format("cannot write '{}': look at the free space", (out_ / kList).string()));
  }
  write_file_atomically(out_ / name, content);
}

void OwnFiles::keep_only(const std::string& folder, const std::set<std::string>& names) {
  read();  // another process may have written meanwhile: a report while the sweep ends
  const bool changed = std::erase_if(names_, [&](const std::string& name) {
                         if (!name.starts_with(folder + "/") || names.contains(name)) return false;
                         if (fs::is_regular_file(fs::symlink_status(out_ / name))) fs::remove(out_ / name);
                         return true;
                       }) > 0;
  if (changed) rewrite();
}

void OwnFiles::rewrite() const {
  std::string text = fmt::format("{}\n{}", kHeading, takes_all_ ? fmt::format("{}\n", kAll) : "");
  for (const std::string& name : names_) text += name + "\n";
  write_file_atomically(out_ / kList, text);
}

void require_own(const fs::path& out, const std::vector<std::string>& names) {
  const auto own = read_list(out);
  if (own ? own->contains(kAll) : is_older_sweep(out)) return;
  for (const std::string& name : names) {
    if (stands(out / name) && !(own && own->contains(name))) refuse(out / name);
  }
}

}  // namespace attnlab::sweep
