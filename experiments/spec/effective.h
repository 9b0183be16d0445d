#pragma once
/// Which keys have an effect, given the others.

#include "experiments/spec/run_config.h"

namespace attnlab::spec {

/// The configuration with every key that does nothing beside the others set to its default: `max_distance` beside
/// sinusoids, `peak` beside the schedule noam, .... Two configurations with equal results here train the same model.
RunConfig effective(RunConfig config);

}  // namespace attnlab::spec
