#include "experiments/run_folder/record.h"

#include <array>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/number_text.h"

namespace attnlab::run_folder {
namespace {

constexpr std::array<std::pair<Status, const char*>, 6> kNames = {{{Status::queued, "queued"},
                                                                   {Status::running, "running"},
                                                                   {Status::completed, "completed"},
                                                                   {Status::failed, "failed"},
                                                                   {Status::diverged, "diverged"},
                                                                   {Status::interrupted, "interrupted"}}};

Status parse_status(const std::string& name) {
  for (const auto& [status, known] : kNames)
    if (name == known) return status;
  throw Error(fmt::format("unknown status '{}'", name));
}

Json to_json(const RunRecord& record) {
  Json json = {{"status", to_string(record.status)},
               {"variant", record.variant},
               {"hash", record.hash},
               {"seed", record.seed},
               {"started", record.started},
               {"finished", record.finished},
               {"seconds", record.seconds},
               {"parameters", record.parameters}};
  if (record.exit_code) json["exit_code"] = *record.exit_code;
  if (record.signal) json["signal"] = *record.signal;
  json["error"] = record.error;
  json["host"] = record.host;
  json["device"] = record.device;
  json["precision"] = record.precision;
  json["threads"] = record.threads;
  json["versions"] = record.versions;
  json["inputs"] = record.inputs;
  json["metrics"] = Json::object();
  for (const auto& [name, value] : record.metrics) json["metrics"][name] = json_number(value);
  json["signatures"] = record.signatures;
  json["notes"] = record.notes;
  return json;
}

std::map<std::string, double> read_metrics(const Json& json) {
  std::map<std::string, double> metrics;
  for (const auto& [name, value] : json.items()) metrics[name] = number_from_json(value);
  return metrics;
}

RunRecord from_json(const Json& json) {
  RunRecord record;
  record.status = parse_status(json.at("status").get<std::string>());
  record.variant = json.at("variant").get<std::string>();
  record.hash = json.at("hash").get<std::string>();
  record.seed = json.at("seed").get<int64_t>();
  record.started = json.value("started", "");
  record.finished = json.value("finished", "");
  record.seconds = json.value("seconds", 0.0);
  record.parameters = json.value("parameters", int64_t{0});
  if (json.contains("exit_code")) record.exit_code = json["exit_code"].get<int>();
  if (json.contains("signal")) record.signal = json["signal"].get<int>();
  record.error = json.value("error", "");
  record.host = json.value("host", "");
  record.device = json.value("device", "");
  record.precision = json.value("precision", "");
  record.threads = json.value("threads", 0);
  using Texts = std::map<std::string, std::string>;
  record.versions = json.value("versions", Texts{});
  record.inputs = json.value("inputs", Texts{});
  if (json.contains("metrics")) record.metrics = read_metrics(json["metrics"]);
  record.signatures = json.value("signatures", Texts{});
  record.notes = json.value("notes", Texts{});
  return record;
}

}  // namespace

std::string to_string(Status status) {
  for (const auto& [known, name] : kNames)
    if (status == known) return name;
  return "unknown";
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::optional<RunRecord> read_record(const std::filesystem::path& folder) {
  const auto path = folder / "run.json";
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return std::nullopt;
  const std::string text = read_file(path, "the record of a run");
  try {
    return from_json(parse_json(text, path.string()));
  } catch (const std::exception& problem) {
    throw Error(fmt::format("{}: not a record of a run ({}); delete the file to run this run again", path.string(),
                            shape_problem(problem)));
  }
}

RunRecord look_at_record(const std::filesystem::path& folder) {
  RunRecord record;
  try {
    if (auto read = read_record(folder)) return *read;
  } catch (const Error& problem) {
    record.status = Status::failed;
    record.error = problem.what();
  }
  return record;
}

void write_record(const std::filesystem::path& folder, const RunRecord& record) {
  write_file_atomically(folder / "run.json",
                        to_json(record).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace attnlab::run_folder
