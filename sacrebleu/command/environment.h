#pragma once
/// The environment variables of the command.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "sacrebleu/metric.h"

namespace sacrebleu {

using Environment = std::function<std::optional<std::string>(const std::string&)>;

/// SACREBLEU, or .sacrebleu in the home folder: where test sets and models lie.
std::filesystem::path sacrebleu_folder(const Environment& environment);

/// SACREBLEU_SEED as a number without sign, spaces, underscores and leading zeros; 12345 when unset, nullopt for
/// "none". Throws Error (value) for anything else.
Seed resampling_seed(const Environment& environment);

/// The seed as the signature of a confidence interval shows it: the variable's text in lower case.
std::string seed_in_signature(const Environment& environment);

/// NumPy's own NPY_PROMOTION_STATE: "legacy" selects the rules of NumPy 1, anything else those of NumPy 2.
NumpyRules numpy_rules(const Environment& environment);

}  // namespace sacrebleu
