#pragma once
/// Checks for numbers on the command line: what CLI11's own let pass (nan, or values that no machine can serve) is
/// refused.

#include <string>

#include <CLI/CLI.hpp>

namespace attnlab::app {

/// What a key of the spec may be, e.g. "decoding.beam".
CLI::Validator allowed_for(const std::string& key);

/// The name of a folder, there or still to be made. That it is not empty is for `not_empty` to ask.
CLI::Validator folder_name();

/// A finite number in [lowest, highest].
CLI::Validator number_between(double lowest, double highest);

/// A number above `bound` and at most `highest`.
CLI::Validator number_above(double bound, double highest);

}  // namespace attnlab::app
