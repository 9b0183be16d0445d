#pragma once
/// Combinations of settings that cannot work, found before any work starts. Types and ranges of single keys are checked
/// by the reader.

#include <string>
#include <vector>

#include "experiments/spec/run_config.h"

namespace attnlab::spec {

/// One sentence for each combination that cannot work: the path, what is wrong and what to change. Empty: none.
std::vector<std::string> problems(const RunConfig& config);

/// The same for the settings of decoding alone, which a command line may change.
std::vector<std::string> problems(const DecodingConfig& decoding);

}  // namespace attnlab::spec
