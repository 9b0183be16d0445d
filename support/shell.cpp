#include "support/shell.h"

#include <algorithm>
#include <string_view>

namespace attnlab {
namespace {

/// Bytes beyond ASCII are parts of letters, which mean nothing to a shell.
bool is_plain(char letter) {
  constexpr std::string_view kSigns = "_@%+=:,./-";
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 128 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
         kSigns.find(letter) != std::string_view::npos;
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

std::string shell_path(const std::filesystem::path& path) {
  const std::string text = path.string();
  return shell_quoted(text.starts_with("-") ? "./" + text : text);
}

}  // namespace attnlab
