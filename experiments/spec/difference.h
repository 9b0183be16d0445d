#pragma once
/// Where two configurations differ, for a person.

#include <string>

#include "experiments/spec/run_config.h"

namespace attnlab::spec {

/// The first key whose value differs, as "training.steps: 80 there, 400 here"; empty if the configurations are equal.
std::string first_difference(const RunConfig& there, const RunConfig& here);

}  // namespace attnlab::spec
