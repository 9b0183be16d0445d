#include "experiments/run_folder/metrics_log.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "support/error.h"
#include "support/files.h"
#include "support/writing.h"

namespace attnlab::run_folder {
namespace {

namespace fs = std::filesystem;

constexpr std::streamoff kTailBytes = 4096;  // a dozen lines; a validation line may stand behind the last step

fs::path path_of(const fs::path& folder) {
  return folder / "metrics.jsonl";
}

std::optional<MetricsEntry> parse_entry(const std::string& line) {
  Json values = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!values.is_object() || !values.contains("step") || !values["step"].is_number_integer()) return std::nullopt;
  const auto step = values["step"].get<int64_t>();
  if (step < 1) return std::nullopt;
  return MetricsEntry{step, std::move(values)};
}

void take_lines(std::istream& log, const TakeEntry& take) {
  for (std::string line; std::getline(log, line);) {
    if (const auto entry = parse_entry(line)) take(*entry);
  }
}

/// The lines themselves, as they were written.
std::string lines_before(const fs::path& path, int64_t first_step) {
  std::ifstream log(path, std::ios::binary);
  std::string kept;
  for (std::string line; std::getline(log, line);) {
    const auto entry = parse_entry(line);
    if (entry && entry->step < first_step) kept += line + "\n";
  }
  return kept;
}

}  // namespace

std::optional<double> MetricsEntry::number(const char* key) const {
  const auto found = values.find(key);
  if (found == values.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

void read_metrics(const fs::path& folder, const TakeEntry& take) {
  std::ifstream log(path_of(folder), std::ios::binary);
  take_lines(log, take);
}

void read_latest_metrics(const fs::path& folder, const TakeEntry& take) {
  std::ifstream log(path_of(folder), std::ios::binary | std::ios::ate);
  if (!log) return;
  const std::streamoff size = log.tellg();
  log.seekg(std::max<std::streamoff>(0, size - kTailBytes));
  std::string cut;
  if (size > kTailBytes) std::getline(log, cut);
  take_lines(log, take);
}

MetricsLog::MetricsLog(const fs::path& folder, int64_t first_step) : path_(path_of(folder)) {
  write_file_atomically(path_, lines_before(path_, first_step));
  out_.open(path_, std::ios::binary | std::ios::app);
  if (!out_) throw Error("cannot write '" + path_.string() + "': " + writing_problem(errno));
}

void MetricsLog::write(const Json& entry) {
  errno = 0;
  out_ << entry.dump() << '\n' << std::flush;
  if (!out_) throw Error("cannot write '" + path_.string() + "': " + writing_problem(errno));
}

}  // namespace attnlab::run_folder
