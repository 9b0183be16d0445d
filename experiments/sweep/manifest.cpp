#include "experiments/sweep/manifest.h"

#include <set>

#include <fmt/format.h>

#include "support/error.h"
#include "support/files.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;

Json to_json(const ManifestRun& run) {
  Json json = {{"folder", run.folder},   {"variant", run.variant}, {"hash", run.hash},      {"seed", run.seed},
               {"factors", run.factors}, {"steps", run.steps},     {"current", run.current}};
  if (!run.published.empty()) json["published"] = run.published;
  return json;
}

Json object_at(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_object()) throw Error(fmt::format("key '{}' is {}; expected an object", key, brief(value)));
  return value;
}

Goal goal_from_json(const Json& json) {
  const auto goal = json.get<std::string>();
  if (goal == "minimize") return Goal::minimize;
  if (goal == "maximize") return Goal::maximize;
  throw Error(fmt::format("the metric's goal is {}; expected \"minimize\" or \"maximize\"", brief(json)));
}

ManifestRun run_from_json(const Json& json) {
  ManifestRun run;
  run.folder = json.at("folder").get<std::string>();
  run.variant = json.at("variant").get<std::string>();
  run.hash = json.at("hash").get<std::string>();
  run.seed = json.at("seed").get<int64_t>();
  run.factors = object_at(json, "factors");
  run.steps = json.at("steps").get<int64_t>();
  run.current = json.at("current").get<bool>();
  run.published = json.value("published", run.published);
  return run;
}

Manifest from_json(const Json& json) {
  Manifest manifest;
  manifest.name = json.at("name").get<std::string>();
  manifest.metric = json.at("metric").at("name").get<std::string>();
  manifest.goal = goal_from_json(json.at("metric").at("goal"));
  manifest.baseline = object_at(json, "baseline");
  manifest.published_source = json.value("published_source", "");
  const Json& runs = json.at("runs");
  if (!runs.is_array()) throw Error(fmt::format("key 'runs' is {}; expected a list", brief(runs)));
  for (const auto& run : runs) manifest.runs.push_back(run_from_json(run));
  return manifest;
}

/// Runs that an earlier spec planned and this one does not.
void keep_older_runs(const fs::path& out, Manifest& manifest) {
  std::set<std::string> folders;
  for (const auto& run : manifest.runs) folders.insert(run.folder);
  for (auto& run : read_manifest(out).runs) {
    if (!folders.insert(run.folder).second) continue;
    run.current = false;
    manifest.runs.push_back(run);
  }
}

}  // namespace

fs::path run_path(const fs::path& out, const ManifestRun& run) {
  return out / "runs" / run.folder;
}

void require_own_record(const run_folder::RunRecord& record, const fs::path& out, const ManifestRun& run) {
  const bool unnamed = record.hash.empty();  // by `attnlab train`, in the folder of a sweep
  if (unnamed || (record.hash == run.hash && record.seed == run.seed)) return;
  throw Error(
      fmt::format("{} is the record of another run ({}, seed {}); bring the right file back, or remove the "
                  "run's folder to have it trained again",
                  (run_path(out, run) / "run.json").string(), record.hash, record.seed));
}

run_folder::RunRecord look_at_record(const fs::path& out, const ManifestRun& run) {
  run_folder::RunRecord record = run_folder::look_at_record(run_path(out, run));
  try {
    require_own_record(record, out, run);
  } catch (const Error& problem) {
    record = {};
    record.status = run_folder::Status::failed;
    record.error = problem.what();
  }
  return record;
}

Manifest read_manifest(const fs::path& out) {
  const auto path = out / "manifest.json";
  if (fs::exists(out) && !fs::is_directory(out))
    throw Error(fmt::format("{}: a file; expected a sweep's --out folder", out.string()));
  if (!fs::is_directory(out))
    throw Error(fmt::format("{}: no such folder; expected a sweep's --out folder", out.string()));
  if (fs::exists(out / "config.json") && !fs::exists(path))
    throw Error(fmt::format("{}: the folder of one run, not of a sweep; a sweep's folder has a manifest.json and runs/",
                            out.string()));
  if (!fs::exists(path))
    throw Error(fmt::format("{}: no sweep lies here (no manifest.json); expected the --out folder of `attnlab run`",
                            out.string()));
  const std::string text = read_file(path, "the list of runs of a sweep");
  try {
    return from_json(parse_json(text, path.string()));
  } catch (const std::exception& problem) {
    throw Error(fmt::format(
        "{}: not a list of runs ({}); 'attnlab run' with the same spec writes it again once the file is deleted",
        path.string(), shape_problem(problem)));
  }
}

void write_manifest(const fs::path& out, Manifest manifest) {
  if (fs::exists(out / "manifest.json")) keep_older_runs(out, manifest);
  Json runs = Json::array();
  for (const auto& run : manifest.runs) runs.push_back(to_json(run));
  Json json = {
      {"name", manifest.name},
      {"metric", {{"name", manifest.metric}, {"goal", manifest.goal == Goal::minimize ? "minimize" : "maximize"}}},
      {"baseline", manifest.baseline}};
  if (!manifest.published_source.empty()) json["published_source"] = manifest.published_source;
  json["runs"] = std::move(runs);
  write_file_atomically(out / "manifest.json", json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace attnlab::sweep
