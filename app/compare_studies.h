#pragma once
/// `attnlab compare positions` and `attnlab compare norms`, below the verb `compare`.

#include <CLI/CLI.hpp>

namespace attnlab::app {

/// Adds both to `compare`; as the verbs do, they store their exit code.
void add_compare_studies(CLI::App& compare, int& exit_code);

}  // namespace attnlab::app
