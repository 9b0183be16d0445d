#pragma once
/// The reference page of all keys, `docs/spec.md`.

#include <string>

#include "experiments/spec/table.h"

namespace attnlab::spec {

/// The page as Markdown: every key with its type, allowed values, default and meaning. Ends with a newline.
std::string reference();

/// The same page for another table of a run's keys.
std::string reference(const Table& table);

}  // namespace attnlab::spec
