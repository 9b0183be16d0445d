#pragma once
/// What an expression says when it refuses.

#include <string>

#include "support/error.h"

namespace attnlab::tests {

/// The message of the attnlab::Error that `action` throws; "(no error)" if it throws none.
template <typename Action>
std::string error_message(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

/// Whether `text` contains every one of `parts`.
template <typename... Parts>
bool mentions(const std::string& text, const Parts&... parts) {
  return ((text.find(parts) != std::string::npos) && ...);
}

}  // namespace attnlab::tests
