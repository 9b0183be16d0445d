#pragma once
/// The folder of tokenizers and encoded data, which runs share.

#include <string>

#include <CLI/CLI.hpp>

namespace attnlab::app {

/// Where it is unless a person says otherwise: $ATTNLAB_CACHE, $XDG_CACHE_HOME/attnlab, ~/.cache/attnlab, or
/// ./.attnlab-cache. A variable that is empty counts as missing; so do XDG_CACHE_HOME and HOME where they are no
/// absolute path (XDG Base Directory Specification).
std::string default_cache();

/// The option --cache.
void add_cache_option(CLI::App& verb, std::string& cache);

/// Makes the folder. Throws attnlab::Error, naming the option and the variable, if files cannot be made there.
void require_cache(const std::string& cache);

}  // namespace attnlab::app
