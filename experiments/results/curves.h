#pragma once
/// Learning curves: the losses that runs logged, and their mean over the seeds of a cell.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/results/collect.h"

namespace attnlab::results {

/// Values by optimizer step.
using Curve = std::map<int64_t, double>;

/// What `metrics.jsonl` of a run holds.
struct RunCurves {
  Curve train;  ///< training loss, nats per token as the run's loss defines it, averaged over windows of steps
  Curve valid;  ///< validation loss, nats per token
};

/// Reads `folder/metrics.jsonl`. Training losses are averaged over windows of `window` steps (1: each step), which
/// stand at the window's last step. A missing log has no curves; lines that are cut, and values that are not finite,
/// are passed over.
RunCurves read_curves(const std::filesystem::path& folder, int64_t window);

/// Mean, least and greatest value over several runs.
struct MeanCurve {
  std::vector<int64_t> steps;
  std::vector<double> mean, low, high;
};

/// Over the steps that all `curves` have.
MeanCurve average(const std::vector<Curve>& curves);

/// One line of the pictures: the mean over the completed runs of a cell, or one run that did not complete.
struct Line {
  size_t cell = 0;
  size_t runs = 0;         ///< how many are averaged
  std::string unfinished;  ///< "seed 3 diverged"; empty for completed runs
  MeanCurve train, valid;  ///< empty if nothing was logged
};

/// All lines of a sweep, cell by cell.
struct LearningCurves {
  std::vector<Line> lines;
  int64_t window = 1;  ///< steps over which training losses are averaged
};

/// Reads the logs of all runs below `out`.
LearningCurves collect_curves(const std::filesystem::path& out, const SweepResults& results);

}  // namespace attnlab::results
