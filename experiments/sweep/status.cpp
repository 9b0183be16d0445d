#include "experiments/sweep/status.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "experiments/run_folder/lock.h"

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

bool is_finished(run_folder::Status status) {
  return status == run_folder::Status::completed || status == run_folder::Status::diverged;
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
  const run_folder::RunRecord record = run_folder::look_at_record(folder);
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
