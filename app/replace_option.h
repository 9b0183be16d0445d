#pragma once
/// `--replace`, the one option of every command that writes where a person said.

#include <CLI/CLI.hpp>

#include "support/output.h"

namespace attnlab::app {

/// Adds it; without it a file that is there is not written over (output.h).
inline void add_replace_option(CLI::App& verb, Replace& replace) {
  verb.add_flag_callback(
      "--replace", [&replace] { replace = Replace::yes; }, "write over files that are there");
}

}  // namespace attnlab::app
