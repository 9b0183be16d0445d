// attnlab plan SPEC: lists the runs, their sizes and what cannot work. Starts nothing.

#include <fmt/format.h>

#include "app/cache_folder.h"
#include "app/plan_sweep.h"
#include "app/verbs.h"
#include "modules/options_check.h"
#include "modules/transformer.h"

namespace attnlab::app {

namespace {

/// Parameters with the vocabulary that the spec asks for; a tokenizer may come out smaller or be given.
int64_t planned_parameters(const spec::RunConfig& config) {
  modules::TransformerOptions options = config.model;
  options.source_vocab = options.target_vocab = config.tokenizer.vocab_size;
  return modules::problems(options).empty() ? modules::parameter_count(options) : 0;
}

int plan(const SweepArguments& arguments) {
  const SweepPlan planned = plan_sweep(arguments, MissingData::note, default_cache());
  size_t widest = 7;
  for (const auto& run : planned.runs) widest = std::max(widest, run.variant.size());
  fmt::print("{}: {} run{}\n", planned.spec.name, planned.runs.size(), planned.runs.size() == 1 ? "" : "s");
  if (!planned.spec.description.empty()) fmt::print("{}\n", planned.spec.description);
  fmt::print("\n{:<{}}  {:>6}  {:>12}  {:>8}  {}\n", "variant", widest, "seed", "parameters", "millions", "folder");
  size_t refused = 0;
  for (const auto& run : planned.runs) {
    const int64_t parameters = planned_parameters(run.config);
    const std::string count = parameters > 0 ? fmt::format("{}", parameters) : "-";
    const std::string millions = parameters > 0 ? fmt::format("{:.3f}", static_cast<double>(parameters) / 1e6) : "-";
    fmt::print("{:<{}}  {:>6}  {:>12}  {:>8}  {}\n", run.variant, widest, run.seed, count, millions, run.folder);
    for (const std::string& problem : run.problems) fmt::print("    refused: {}\n", problem);
    refused += run.problems.empty() ? 0 : 1;
  }
  fmt::print("\nParameters are counted with tokenizer.vocab_size pieces; a small text gives fewer.\n");
  for (const std::string& missing : planned.missing)
    fmt::print("Missing, so that `attnlab run` would start nothing yet: {}\n", missing);
  for (const std::string& unusable : planned.unusable)
    fmt::print("Not usable, so that `attnlab run` would start nothing: {}\n", unusable);
  if (refused > 0) fmt::print("Refused: {} of {}; `attnlab run` would start none.\n", refused, planned.runs.size());
  return refused > 0 || !planned.unusable.empty() ? usage_error : done;
}

}  // namespace

void add_plan(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* verb = app.add_subcommand("plan", "List the runs of a spec with their sizes and problems; start nothing");
  add_sweep_arguments(*verb, *arguments);
  verb->callback([arguments, &exit_code] { exit_code = plan(*arguments); });
}

}  // namespace attnlab::app
