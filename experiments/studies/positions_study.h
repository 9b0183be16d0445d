#pragma once
/// `attnlab compare positions`: position methods on equal terms, trained on lengths up to L and tested beyond.

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/studies/study.h"

namespace attnlab::studies {

/// The methods of the study if none are named.
const std::vector<std::string>& standard_methods();

/// The spec: `methods` in both stacks, the first as baseline, with the probes `lengths` and `encodings`. Built on
/// `options.spec`, or on a small model that writes sequences of up to 10 symbols backwards. Throws attnlab::Error.
Json positions_spec(const StudyOptions& options, const std::vector<std::string>& methods);

/// The comparison of a folder in which that spec has run, as far as it got.
StudyReport report_positions(const std::filesystem::path& out);

}  // namespace attnlab::studies
