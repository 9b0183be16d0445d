#pragma once
/// The configuration in a run's folder, held against the run's record.

#include <filesystem>
#include <string>

#include "experiments/spec/run_config.h"

namespace attnlab::run_folder {

/// SHA-256 of the canonical JSON of a configuration, seed included: `inputs.configuration` in run.json.
std::string configuration_hash(const spec::RunConfig& config);

/// Reads `folder`/config.json. Throws attnlab::Error if it cannot be read, or if run.json says that the run was made
/// with another one. A run that has no record yet, or one of an older version, which names none, is taken as it is.
spec::RunConfig read_configuration(const std::filesystem::path& folder);

}  // namespace attnlab::run_folder
