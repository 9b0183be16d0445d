#pragma once
/// Every key of a run, with its meaning and its allowed values: the place to edit when a setting is added.

#include "experiments/spec/run_config.h"
#include "experiments/spec/table.h"

namespace attnlab::spec {

/// The table of `config`. It points into `config`, which must outlive it.
Table describe(RunConfig& config);

}  // namespace attnlab::spec
