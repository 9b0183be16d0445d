#include "app/plan_sweep.h"

#include <filesystem>
#include <map>
#include <utility>

#include "experiments/data/content_hash.h"
#include "experiments/spec/write.h"
#include "support/error.h"

namespace attnlab::app {

void add_sweep_arguments(CLI::App& verb, SweepArguments& arguments) {
  verb.add_option("spec", arguments.spec, "JSON file of the sweep; `attnlab spec reference` explains its keys")
      ->required();
  verb.add_option("--set", arguments.overrides.set,
                  "key=value: set a key in every run, beats the file; may be repeated")
      ->type_name("KEY=VALUE");
  verb.add_option("--sweep", arguments.overrides.sweep, "key=v1,v2,...: vary a key; may be repeated")
      ->type_name("KEY=VALUES");
}

SweepPlan plan_sweep(const SweepArguments& arguments, MissingData missing_data) {
  return plan_sweep(spec::read_sweep_spec(arguments.spec, arguments.overrides), missing_data);
}

SweepPlan plan_sweep(spec::SweepSpec sweep, MissingData missing_data) {
  SweepPlan plan;
  plan.spec = std::move(sweep);
  // Most runs of a sweep read the same data: each set is read once.
  std::map<std::string, std::string> known;
  const auto content_of = [&](const spec::RunConfig& config) {
    const Json json = spec::to_json(config);
    const std::string key = json.at("data").dump() + json.at("tokenizer").dump();
    if (const auto found = known.find(key); found != known.end()) return found->second;
    try {
      return known[key] = data::content_hash(config.data, config.tokenizer);
    } catch (const Error& error) {
      if (missing_data == MissingData::refuse) throw;
      plan.missing.push_back(error.what());
      return known[key] = "";
    }
  };
  plan.runs = spec::plan_runs(plan.spec, content_of);
  return plan;
}

sweep::RunnerOptions runner_options(const SweepPlan& plan) {
  sweep::RunnerOptions options;
  options.sweep = plan.spec;
  return options;
}

std::string program_path() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace attnlab::app
