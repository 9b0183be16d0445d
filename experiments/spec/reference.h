#pragma once
/// The reference page of all keys, `docs/spec.md`.

#include <string>

namespace attnlab::spec {

/// The page as Markdown: every key with its type, allowed values, default and meaning. Ends with a newline.
std::string reference();

}  // namespace attnlab::spec
