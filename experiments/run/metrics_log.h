#pragma once
/// `metrics.jsonl`: one JSON object a line for each step and each validation of a run.

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "experiments/training/trainer.h"

namespace attnlab::run {

/// Appends to the log of one run. A resumed run first takes back the lines of steps that it will do again, so that
/// every step stands there once. Numbers that are not finite are written as
/// null; a perplexity that no double holds as "inf".
class MetricsLog {
 public:
  /// Opens `path`, keeping the lines of steps before `first_step`. Throws attnlab::Error if the file cannot be written.
  MetricsLog(const std::filesystem::path& path, int64_t first_step, int64_t last_step);

  void write(const training::StepReport& step);
  void write(const training::ValidationReport& validation);

 private:
  void line(const std::string& text);

  std::filesystem::path path_;
  std::ofstream out_;
  int64_t last_step_;
};

}  // namespace attnlab::run
