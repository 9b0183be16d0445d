#pragma once
/// What a training says, written into the run's log.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "experiments/run_folder/metrics_log.h"
#include "experiments/training/trainer.h"

namespace attnlab::run {

/// Writes a line for each step and each validation into metrics.jsonl of `folder`. Numbers that are not finite are
/// written as null; a perplexity that no double holds as "inf".
class MetricsObserver : public training::Observer {
 public:
  explicit MetricsObserver(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void started(int64_t first_step, int64_t last_step) override;
  void stepped(const training::StepReport& step) override;
  void validated(const training::ValidationReport& validation) override;

 private:
  std::filesystem::path folder_;
  std::optional<run_folder::MetricsLog> log_;
  int64_t last_step_ = 0;
};

}  // namespace attnlab::run
