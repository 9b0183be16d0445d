#pragma once
/// The record of one run, `run.json`, as the process of the run writes it and the sweep, the table and the report read
/// it.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace attnlab::run_folder {

enum class Status { queued, running, completed, failed, diverged, interrupted };

/// `queued`, `running`, ... as written in run.json.
std::string to_string(Status status);

/// What is known of one run. Absent optionals are left out of the file.
struct RunRecord {
  Status status = Status::queued;
  std::string variant;  ///< readable name of the cell, e.g. "heads=4_placement=post"
  std::string hash;     ///< 8 hex digits, of the configuration without its seed and of its data
  int64_t seed = 0;
  std::string started, finished;  ///< UTC, ISO 8601
  double seconds = 0;             ///< wall time, over all starts
  int64_t parameters = 0;
  std::optional<int> exit_code, signal;
  std::string error;  ///< for a person, empty if none
  std::string host, device, precision;
  int threads = 0;                              ///< fixed at the first start and used again
  std::map<std::string, std::string> versions;  ///< attnlab, libtorch, sentencepiece, ...
  std::map<std::string, std::string>
      inputs;  ///< SHA-256 of the "configuration", the "data" and the "tokenizers" of the first start
  std::map<std::string, double> metrics;  ///< e.g. "test.bleu", "test.exact", "valid.loss", "train.tokens_per_second"
  std::map<std::string, std::string> signatures;  ///< metric -> sacreBLEU signature
  std::map<std::string, std::string> notes;  ///< what has to be named: initialisation, smoothing rule, sinusoid layout
};

/// The present time as a record has it, "2026-11-30T03:43:30Z".
std::string now_utc();

/// Reads `folder/run.json`; nothing if there is none. Throws attnlab::Error if it is damaged.
std::optional<RunRecord> read_record(const std::filesystem::path& folder);

/// The same for one who only looks: a run that has no record is queued, one whose record is damaged has failed, with
/// the reason as its error.
RunRecord look_at_record(const std::filesystem::path& folder);

/// Writes `folder/run.json` atomically.
void write_record(const std::filesystem::path& folder, const RunRecord& record);

}  // namespace attnlab::run_folder
