#pragma once
/// Checks for words on the command line. Numbers are read in one way: 12, -1, .5 and 1e3, nothing else (no blanks, no
/// hexadecimal digits, no "+", nan or inf). A check of numbers is given to an option by `transform`, which hands 1e3 on
/// as 1000: CLI11 itself reads whole numbers in another way.

#include <cstdint>
#include <limits>
#include <string>

#include <CLI/CLI.hpp>

namespace attnlab::app {

/// The largest whole number that an option takes.
inline constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

/// What a key of the spec that is a number may be, e.g. "decoding.beam".
CLI::Validator allowed_for(const std::string& key);

/// A whole number in [lowest, highest].
CLI::Validator count_between(int64_t lowest, int64_t highest);

/// A whole number that is not absurd.
CLI::Validator count_from(int64_t least);

/// What `--threads` may be: OpenMP ends the program where the system refuses a thread.
CLI::Validator thread_count();

/// A finite number in [lowest, highest].
CLI::Validator number_between(double lowest, double highest);

/// A number above `bound` and at most `highest`.
CLI::Validator number_above(double bound, double highest);

/// A text with something in it: an empty variable of a script must not become the working directory.
CLI::Validator not_empty();

/// The name of a folder, there or still to be made. That it is not empty is for `not_empty` to ask.
CLI::Validator folder_name();

}  // namespace attnlab::app
