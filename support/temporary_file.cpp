#include "support/temporary_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "support/error.h"

namespace attnlab {
namespace {

constexpr std::string_view kEnd = ".tmp";

/// Whether a number is written as the program writes it: digits only, no zero before others.
bool is_number(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

TemporaryFile create_beside(const std::filesystem::path& path) {
  for (int attempt = 0;; ++attempt) {
    std::filesystem::path name = path;
    name += fmt::format(".{}-{}{}", ::getpid(), attempt, kEnd);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return {name, descriptor};
    if (errno != EEXIST) throw Error(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
  }
}

std::optional<std::string> awaited_name(std::string_view name) {
  if (!name.ends_with(kEnd)) return std::nullopt;
  name.remove_suffix(kEnd.size());
  const size_t dot = name.rfind('.');
  const size_t dash = name.rfind('-');
  if (dot == std::string_view::npos || dot == 0 || dash == std::string_view::npos || dash < dot) return std::nullopt;
  const std::string_view process = name.substr(dot + 1, dash - dot - 1);
  if (!is_number(process) || process == "0" || !is_number(name.substr(dash + 1))) return std::nullopt;
  return std::string(name.substr(0, dot));
}

}  // namespace attnlab
