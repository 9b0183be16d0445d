#pragma once
/// sacreBLEU's metrics as the configuration of a run sets them up.

#include <memory>
#include <string>

#include "experiments/spec/run_config.h"
#include "sacrebleu/metric.h"

namespace attnlab::evaluation {

/// The metric of that name, one of `spec::score_names`; `log` receives its warnings. Throws attnlab::Error for another
/// name and sacrebleu::Error for an unknown tokenizer.
std::unique_ptr<sacrebleu::Metric> make_metric(const std::string& name, const spec::EvaluationConfig& config,
                                               sacrebleu::Log log = {});

}  // namespace attnlab::evaluation
