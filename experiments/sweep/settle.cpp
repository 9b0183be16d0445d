#include "experiments/sweep/settle.h"

#include <algorithm>
#include <deque>
#include <fstream>

#include <fmt/format.h>

#include "experiments/sweep/status.h"
#include "support/error.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kTailBytes = 600;
constexpr size_t kTailLines = 5;

/// The record on disk, or a new one if it is missing or damaged.
run_folder::RunRecord record_or_new(const fs::path& folder, const ManifestRun& run) {
  try {
    if (auto record = run_folder::read_record(folder)) return *record;
  } catch (const Error&) {
    // The run's process is what broke it; what the sweep knows is written anew.
  }
  run_folder::RunRecord record;
  record.variant = run.variant;
  record.hash = run.hash;
  record.seed = run.seed;
  record.status = run_folder::Status::running;
  return record;
}

std::string describe(const ExitStatus& exit_status) {
  if (exit_status.signal) return "ended by " + describe_signal(*exit_status.signal);
  return fmt::format("ended with exit code {} and without a result", *exit_status.exit_code);
}

std::string with_log(const std::string& reason, const std::string& lines) {
  return lines.empty() ? reason : reason + "; its log ends with:\n" + lines;
}

}  // namespace

std::string last_lines(const fs::path& log, uintmax_t start) {
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  if (!file) return "";
  const auto size = static_cast<uintmax_t>(file.tellg());
  const uintmax_t from = std::max(start, size - std::min(size, kTailBytes));
  file.seekg(static_cast<std::streamoff>(from));
  std::deque<std::string> lines;
  std::string line;
  while (std::getline(file, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    lines.push_back(line);
    if (lines.size() > kTailLines) lines.pop_front();
  }
  std::string text;
  for (const auto& kept : lines) text += (text.empty() ? "" : "\n") + kept;
  return text;
}

run_folder::RunRecord record_start(const fs::path& folder, const ManifestRun& run, int threads) {
  run_folder::RunRecord record = record_or_new(folder, run);
  record.status = run_folder::Status::running;
  if (record.started.empty()) record.started = run_folder::now_utc();
  if (record.threads == 0) record.threads = threads;
  record.finished.clear();
  record.error.clear();
  record.exit_code.reset();
  record.signal.reset();
  run_folder::write_record(folder, record);
  std::ofstream log(folder / "train.log", std::ios::binary | std::ios::app);
  log << fmt::format("--- {} started with {} thread{}\n", run_folder::now_utc(), record.threads,
                     record.threads == 1 ? "" : "s");
  return record;
}

void record_no_start(const fs::path& folder, const std::string& reason) {
  run_folder::RunRecord record = run_folder::read_record(folder).value_or(run_folder::RunRecord{});
  record.status = run_folder::Status::failed;
  record.error = reason;
  record.finished = run_folder::now_utc();
  run_folder::write_record(folder, record);
}

run_folder::RunRecord record_end(const fs::path& folder, const ManifestRun& run, const EndedStart& start) {
  run_folder::RunRecord record = record_or_new(folder, run);
  const ExitStatus& exit_status = start.exit_status;
  record.exit_code = exit_status.exit_code;
  record.signal = exit_status.signal;
  const bool unsettled = record.status == run_folder::Status::running || record.status == run_folder::Status::queued;
  const bool broken_after = record.status == run_folder::Status::completed && exit_status.exit_code.value_or(0) != 0;
  const bool silent = record.status == run_folder::Status::failed && record.error.empty();
  if (unsettled) record.seconds += start.seconds;
  if (unsettled && start.asked == Asked::yes) {
    record.status = run_folder::Status::interrupted;
  } else if (unsettled || broken_after || silent) {
    record.status = run_folder::Status::failed;
    record.error = with_log(describe(exit_status), last_lines(folder / "train.log", start.log_start));
  }
  if (record.status == run_folder::Status::interrupted && start.asked == Asked::no)
    record.error = "its process was asked to stop, not by this sweep; starting the sweep again continues it";
  if (record.finished.empty()) record.finished = run_folder::now_utc();
  run_folder::write_record(folder, record);
  return record;
}

}  // namespace attnlab::sweep
