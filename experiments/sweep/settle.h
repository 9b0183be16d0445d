#pragma once
/// What the parent writes into a run's record: before the process starts, and after it has ended without doing so
/// itself.

#include <cstdint>
#include <filesystem>

#include "experiments/run_folder/record.h"
#include "experiments/sweep/manifest.h"
#include "experiments/sweep/process.h"

namespace attnlab::sweep {

/// Whether the parent had asked the process to end.
enum class Asked { no, yes };

/// Marks the run as running with `threads` (a number from an earlier start stays), clears the last error, and writes a
/// line into train.log. Gives the record.
run_folder::RunRecord record_start(const std::filesystem::path& folder, const ManifestRun& run, int threads);

/// Marks the run as failed because its process could not be started.
void record_no_start(const std::filesystem::path& folder, const std::string& reason);

/// One start of a run's process, after it has ended.
struct EndedStart {
  ExitStatus exit_status;
  Asked asked = Asked::no;
  uintmax_t log_start = 0;  ///< size of train.log when it started
  double seconds = 0;       ///< wall time
};

/// Completes the record after the process has ended. A process that died leaves `running`: that becomes `interrupted`
/// if it had been asked to end, else `failed` with the signal or exit code and the last lines of its log; the time of
/// this start is added then, which otherwise the process itself does.
run_folder::RunRecord record_end(const std::filesystem::path& folder, const ManifestRun& run, const EndedStart& start);

/// The end of a log: its last few lines that are not blank, at most about 600 bytes.
std::string last_lines(const std::filesystem::path& log, uintmax_t start);

}  // namespace attnlab::sweep
