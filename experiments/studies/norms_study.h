#pragma once
/// `attnlab compare norms`: where norms stand, and what that has to do with warm-up and learning rate (Xiong et al.
/// 2020). A training that fails is a result here.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/studies/study.h"

namespace attnlab::studies {

/// What the study varies; an empty list stands for the standard.
struct NormsOptions {
  StudyOptions study;
  std::vector<std::string> placements;  ///< post, pre
  std::vector<std::string> norms;       ///< those of the spec, without an axis
  std::vector<int64_t> warmups;         ///< 0, 250
  std::vector<double> rates;            ///< training.schedule.peak (noam: factor): 1e-3, 3e-3
};

/// The spec: placement x norm x rate x warm-up, the first placement (and norm) as baseline, divergence recorded, with
/// the probes `gradients` and `chance`. Built on `options.study.spec`, or on a model of 6 + 6 layers that copies
/// sequences. Throws attnlab::Error.
Json norms_spec(const NormsOptions& options);

/// The comparison of a folder in which that spec has run, as far as it got. `target`: the validation loss (nats per
/// piece) whose first step is the speed; nothing: `kReachedShare` of the unigram loss.
StudyReport report_norms(const std::filesystem::path& out, std::optional<double> target = {});

}  // namespace attnlab::studies
