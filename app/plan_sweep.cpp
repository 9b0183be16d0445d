#include "app/plan_sweep.h"

#include <filesystem>
#include <map>
#include <utility>

#include <sys/auxv.h>

#include "app/checked_option.h"
#include "experiments/data/content_hash.h"
#include "experiments/data/parallel_text.h"
#include "experiments/spec/write.h"
#include "support/error.h"

namespace attnlab::app {

void add_sweep_arguments(CLI::App& verb, SweepArguments& arguments) {
  verb.add_option("spec", arguments.spec, "JSON file of the sweep; `attnlab spec reference` explains its keys")
      ->check(not_empty())
      ->required();
  verb.add_option("--set", arguments.overrides.set,
                  "key=value: set a key in every run, beats the file; may be repeated")
      ->type_name("KEY=VALUE");
  verb.add_option("--sweep", arguments.overrides.sweep, "key=v1,v2,...: vary a key; may be repeated")
      ->type_name("KEY=VALUES");
}

SweepPlan plan_sweep(const SweepArguments& arguments, MissingData missing_data, const std::string& cache) {
  return plan_sweep(spec::read_sweep_spec(arguments.spec, arguments.overrides), missing_data, cache);
}

SweepPlan plan_sweep(spec::SweepSpec sweep, MissingData missing_data, const std::string& cache) {
  SweepPlan plan;
  plan.spec = std::move(sweep);
  // Most runs of a sweep read the same data: each set is read once.
  std::map<std::string, std::string> known;
  spec::Writer writer;
  const auto content_of = [&](const spec::RunConfig& config) {
    const std::string key = writer.text_below(config, "data") + writer.text_below(config, "tokenizer");
    if (const auto found = known.find(key); found != known.end()) return found->second;
    try {
      return known[key] = data::content_hash(config.data, config.tokenizer, cache);
    } catch (const data::MissingText& error) {
      if (missing_data == MissingData::refuse) throw;
      plan.missing.push_back(error.what());
    } catch (const Error& error) {
      if (missing_data == MissingData::refuse) throw;
      plan.unusable.push_back(error.what());
    }
    return known[key] = "";
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
  std::error_code missing;
  const auto link = std::filesystem::read_symlink("/proc/self/exe", missing);
  if (!missing) return link.string();
  // Without /proc: the name under which the kernel started the program.
  const auto* name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  if (name != nullptr && std::filesystem::exists(name, missing)) return std::filesystem::absolute(name).string();
  throw Error("cannot find the program's own file, by which every run is started: /proc is not mounted; mount it");
}

}  // namespace attnlab::app
