#include "experiments/sweep/status.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "experiments/sweep/lock.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::streamoff kTailBytes = 4096;  // a dozen lines; a validation line may stand behind the last step

std::optional<double> number_at(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// Later lines overwrite earlier ones, so that a line of a validation leaves the loss of the step before it.
void take_line(const std::string& line, RunProgress& progress) {
  const Json entry = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!entry.is_object()) return;
  if (const auto step = number_at(entry, "step")) progress.step = static_cast<int64_t>(*step);
  if (const auto steps = number_at(entry, "steps")) progress.steps = static_cast<int64_t>(*steps);
  if (const auto loss = number_at(entry, "loss")) progress.loss = loss;
  if (const auto speed = number_at(entry, "tokens_per_second")) progress.tokens_per_second = speed;
}

}  // namespace

bool is_finished(Status status) {
  return status == Status::completed || status == Status::diverged;
}

RunProgress read_progress(const fs::path& folder) {
  RunProgress progress;
  std::ifstream log(folder / "metrics.jsonl", std::ios::binary | std::ios::ate);
  if (!log) return progress;
  const std::streamoff size = log.tellg();
  std::string line;
  log.seekg(std::max<std::streamoff>(0, size - kTailBytes));
  if (size > kTailBytes) std::getline(log, line);  // its start is cut off
  while (std::getline(log, line)) take_line(line, progress);
  return progress;
}

RunStatus read_status(const fs::path& out, const ManifestRun& run) {
  const fs::path folder = run_path(out, run);
  const RunRecord record = look_at_record(folder);
  RunStatus status{run.folder,     run.variant,    run.seed,    record.status, read_progress(folder),
                   record.seconds, record.threads, record.error};
  if (status.progress.steps == 0) status.progress.steps = run.steps;
  return status;
}

std::vector<RunStatus> collect_status(const fs::path& out) {
  const bool active = is_locked(out);
  std::vector<RunStatus> rows;
  for (const auto& run : read_manifest(out).runs) {
    if (!run.current) continue;
    rows.push_back(read_status(out, run));
    auto& row = rows.back();
    if (row.status != Status::running || active) continue;
    row.status = Status::interrupted;
    row.error = "its process is gone without a word; 'attnlab run' continues it";
  }
  return rows;
}

}  // namespace attnlab::sweep
