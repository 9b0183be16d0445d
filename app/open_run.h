#pragma once
/// A trained run, opened for a verb.

#include <string>

#include "experiments/checkpoint/trained_run.h"

namespace attnlab::app {

/// `checkpoint::open_run` on the device that `--device` names; its warnings go to stderr. Throws attnlab::Error.
checkpoint::TrainedRun open_run(const std::string& folder, const std::string& device, const std::string& weights = "");

}  // namespace attnlab::app
