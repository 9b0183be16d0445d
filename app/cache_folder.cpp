#include "app/cache_folder.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/verbs.h"
#include "support/error.h"
#include "support/writing.h"

namespace attnlab::app {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The value of a variable that holds a folder; "" for one that is no absolute path.
std::string absolute_folder(const char* name) {
  const std::string folder = variable(name);
  return folder.starts_with("/") ? folder : "";
}

}  // namespace

std::string default_cache() {
  if (const std::string own = variable("ATTNLAB_CACHE"); !own.empty()) return own;
  if (const std::string cache = absolute_folder("XDG_CACHE_HOME"); !cache.empty()) return cache + "/attnlab";
  if (const std::string home = absolute_folder("HOME"); !home.empty()) return home + "/.cache/attnlab";
  return ".attnlab-cache";
}

void add_cache_option(CLI::App& verb, std::string& cache) {
  verb.add_option("--cache", cache, "folder of tokenizers and encoded data")
      ->check(not_empty())
      ->check(folder_name())
      ->capture_default_str();
}

void require_cache(const std::string& cache) {
  try {
    require_writable_folder(cache);
  } catch (const Error& problem) {
    throw Error(fmt::format(
        "tokenizers and encoded data cannot be kept: {}; choose another folder with --cache or ATTNLAB_CACHE",
        problem.what()));
  }
}

}  // namespace attnlab::app
