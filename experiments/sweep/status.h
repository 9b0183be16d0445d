#pragma once
/// Where the runs of a sweep stand, read from their folders alone.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/run_folder/record.h"
#include "experiments/sweep/manifest.h"

namespace attnlab::sweep {

/// How far a training is: the last step that its `metrics.jsonl` holds.
struct RunProgress {
  int64_t step = 0;
  int64_t steps = 0;                        ///< 0: not known
  std::optional<double> loss;               ///< smoothed training loss, nats per token
  std::optional<double> tokens_per_second;  ///< target tokens
};

/// One run as a person sees it.
struct RunStatus {
  std::string folder;   ///< below `runs/`
  std::string variant;  ///< as `shown_variants` has it
  int64_t seed = 0;
  run_folder::Status status = run_folder::Status::queued;
  RunProgress progress;
  double seconds = 0;  ///< wall time, over all starts
  int threads = 0;     ///< 0: not started yet
  std::string error;   ///< why it failed, diverged or stands still
};

/// Completed or diverged: done for good, a later start leaves it alone.
bool is_finished(run_folder::Status status);

/// Reads the end of `folder/metrics.jsonl`. A missing or empty log is no progress; a line that is being written is
/// passed over.
RunProgress read_progress(const std::filesystem::path& folder);

/// The variant of each run for a person. Names lose the letters that no folder may have, and long ones their end: where
/// two cells share a name, each has its hash behind it, as their folders have.
std::vector<std::string> shown_variants(const std::vector<ManifestRun>& runs);

/// One run, called `variant`. A record that cannot be read shows as failed, with the reason.
RunStatus read_status(const std::filesystem::path& out, const ManifestRun& run, const std::string& variant);

/// All runs of the latest spec, in the order of the plan. What says `running` although no process works on the sweep is
/// shown as interrupted. Throws attnlab::Error if `out` holds no sweep.
std::vector<RunStatus> collect_status(const std::filesystem::path& out);

}  // namespace attnlab::sweep
