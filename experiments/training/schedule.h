#pragma once
/// The learning rate as a pure function of the step.

#include <cstdint>

#include "experiments/spec/run_config.h"

namespace attnlab::training {

/// The rate of step `step` (from 1) of `total_steps`.
///
/// `noam` (Vaswani et al. 2017, section 5.3) is factor * D^-0.5 * min(t^-0.5, t * warmup^-1.5), with warm-up 0
/// factor * (D t)^-0.5. The others rise linearly to the peak for `warmup` steps, and then:
/// - `inverse_sqrt`: peak * sqrt(warmup / t)
/// - `constant`: peak
/// - `linear`, `cosine`: from peak at the end of the warm-up to final_rate at `total_steps`
///
/// Warm-up 0 is the same as 1 for these four: the first step has the peak.
double learning_rate(int64_t step, int64_t d_model, const spec::ScheduleConfig& schedule, int64_t total_steps);

}  // namespace attnlab::training
