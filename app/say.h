#pragma once
/// Words on stderr, beside the output: warnings, progress, hints.

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace attnlab::app {

/// Prints to stderr. What cannot be written there (a full disk, a closed stream) is lost and stops no work.
template <typename... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace attnlab::app
