#include "experiments/sweep/prepare.h"

#include <set>

#include <fmt/format.h>

#include "experiments/spec/difference.h"
#include "experiments/spec/read.h"
#include "experiments/spec/write.h"
#include "experiments/sweep/own_files.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;

ManifestRun manifest_entry(const spec::PlannedRun& run) {
  ManifestRun entry;
  entry.folder = run.folder;
  entry.variant = run.variant;
  entry.hash = run.variant_hash;
  entry.seed = run.seed;
  for (const auto& factor : run.factors) entry.factors[factor.key] = factor.value;
  entry.published = run.published;
  entry.steps = run.config.training.steps;
  return entry;
}

void refuse_doubles(const std::vector<ManifestRun>& runs) {
  std::set<std::string> folders;
  for (const auto& run : runs)
    if (!folders.insert(run.folder).second)
      throw Error(
          fmt::format("two planned runs are the same one ('{}'); take one of them out of the spec", run.folder));
}

bool is_same_spec(const fs::path& path, const Json& spec) {
  try {
    return read_json(path, "the spec of the sweep") == spec;
  } catch (const Error&) {
    return false;
  }
}

/// An earlier spec of this folder moves to the next free number.
void write_spec(const fs::path& out, OwnFiles& files, const Json& spec) {
  const auto path = out / "spec.json";
  if (is_same_spec(path, spec)) return;
  if (files.owns("spec.json") && fs::exists(path)) {
    int number = 1;
    while (fs::exists(fs::symlink_status(out / fmt::format("spec.{}.json", number)))) ++number;
    fs::rename(path, out / fmt::format("spec.{}.json", number));
  }
  files.write("spec.json", spec.dump(2) + "\n");
}

Json read_config(const fs::path& path) {
  try {
    return read_json(path, "the configuration of a run");
  } catch (const Error& problem) {
    throw Error(fmt::format("{}; delete the file to have it written again", problem.what()));
  }
}

void write_config(const fs::path& folder, const spec::RunConfig& config) {
  const auto path = folder / "config.json";
  const Json wanted = spec::to_json(config);
  if (!fs::exists(path)) {
    write_file_atomically(path, wanted.dump(2) + "\n");
    return;
  }
  const Json known = read_config(path);
  if (nlohmann::json(known) == nlohmann::json(wanted)) return;
  // The file of an older version lacks the keys that were added since.
  const std::string difference = spec::first_difference(spec::parse_run_config(known, path.string()), config);
  if (difference.empty()) return;
  throw Error(
      fmt::format("'{}' differs from what the spec says ({}) although its folder has the same hash; it was changed by "
                  "hand or by another version of attnlab; choose another --out, or remove that run's folder",
                  path.string(), difference));
}

void write_queued_record(const fs::path& out, const ManifestRun& run) {
  const fs::path folder = run_path(out, run);
  if (const auto known = run_folder::read_record(folder)) return require_own_record(*known, out, run);
  run_folder::RunRecord record;
  record.variant = run.variant;
  record.hash = run.hash;
  record.seed = run.seed;
  run_folder::write_record(folder, record);
}

}  // namespace

void refuse_problems(const std::vector<spec::PlannedRun>& plan) {
  if (plan.empty()) throw Error("the spec plans no run: everything is excluded, or grid, variants or seeds are empty");
  std::string lines;
  size_t bad = 0;
  for (const auto& run : plan) {
    bad += run.problems.empty() ? 0 : 1;
    for (const auto& problem : run.problems) lines += fmt::format("\n  {}: {}", run.folder, problem);
  }
  if (bad > 0)
    throw Error(fmt::format("{} of {} planned runs cannot work; nothing was started:{}", bad, plan.size(), lines));
}

std::vector<ManifestRun> prepare_folders(const std::vector<spec::PlannedRun>& plan, const RunnerOptions& options) {
  const auto& sweep = options.sweep;
  Manifest manifest{sweep.name, sweep.metric, sweep.goal, sweep.baseline, sweep.published.source, {}};
  for (const auto& run : plan) manifest.runs.push_back(manifest_entry(run));
  refuse_doubles(manifest.runs);
  if (!is_same_spec(options.out / "spec.json", sweep.document)) require_own(options.out, {"spec.json"});
  for (size_t i = 0; i < plan.size(); ++i) {
    const auto folder = run_path(options.out, manifest.runs[i]);
    make_folder(folder);
    write_config(folder, plan[i].config);
    write_queued_record(options.out, manifest.runs[i]);
  }
  OwnFiles files(options.out);
  write_spec(options.out, files, sweep.document);
  write_manifest(options.out, manifest);
  return manifest.runs;
}

}  // namespace attnlab::sweep
