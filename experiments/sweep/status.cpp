#include "experiments/sweep/status.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "experiments/run_folder/lock.h"
#include "experiments/run_folder/metrics_log.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;

/// Later lines overwrite earlier ones, so that a line of a validation leaves the loss of the step before it.
void take_entry(const run_folder::MetricsEntry& entry, RunProgress& progress) {
  progress.step = entry.step;
  if (const auto steps = entry.number("steps")) progress.steps = static_cast<int64_t>(*steps);
  if (const auto loss = entry.number("loss")) progress.loss = loss;
  if (const auto speed = entry.number("tokens_per_second")) progress.tokens_per_second = speed;
}

}  // namespace

bool is_finished(run_folder::Status status) {
  return status == run_folder::Status::completed || status == run_folder::Status::diverged;
}

RunProgress read_progress(const fs::path& folder) {
  RunProgress progress;
  run_folder::read_latest_metrics(folder, [&](const auto& entry) { take_entry(entry, progress); });
  return progress;
}

std::vector<std::string> shown_variants(const std::vector<ManifestRun>& runs) {
  std::map<std::string, std::set<std::string>> hashes;
  for (const auto& run : runs) hashes[run.variant].insert(run.hash);
  std::vector<std::string> names;
  for (const auto& run : runs)
    names.push_back(hashes[run.variant].size() == 1 ? run.variant : run.variant + "-" + run.hash);
  return names;
}

RunStatus read_status(const fs::path& out, const ManifestRun& run, const std::string& variant) {
  const fs::path folder = run_path(out, run);
  const run_folder::RunRecord record = look_at_record(out, run);
  RunStatus status{run.folder,     variant,        run.seed,    record.status, read_progress(folder),
                   record.seconds, record.threads, record.error};
  if (status.progress.steps == 0) status.progress.steps = run.steps;
  return status;
}

std::vector<RunStatus> collect_status(const fs::path& out) {
  const bool active = run_folder::is_locked(out);
  std::vector<ManifestRun> runs = read_manifest(out).runs;
  std::erase_if(runs, [](const ManifestRun& run) { return !run.current; });
  const auto variants = shown_variants(runs);
  std::vector<RunStatus> rows;
  for (size_t i = 0; i < runs.size(); ++i) {
    rows.push_back(read_status(out, runs[i], variants[i]));
    auto& row = rows.back();
    if (row.status != run_folder::Status::running || active) continue;
    row.status = run_folder::Status::interrupted;
    row.error = "its process is gone without a word; 'attnlab run' continues it";
  }
  return rows;
}

}  // namespace attnlab::sweep
