#pragma once
/// What a reader of the results has to know to compare them with another program's: the notes of a run's record.

#include <map>
#include <string>

#include "experiments/spec/run_config.h"

namespace attnlab::run {

/// "initialisation", "label_smoothing" and "perplexity"; "sinusoid_layout" and "rotary_layout" if the model has
/// sinusoids or turned pairs.
std::map<std::string, std::string> conventions(const spec::RunConfig& config);

}  // namespace attnlab::run
