// attnlab run SPEC --out DIR: starts, or continues, all runs of a sweep, then prints its table and writes its report.

#include <fmt/format.h>

#include "app/run_sweep.h"
#include "app/say.h"
#include "app/verbs.h"
#include "experiments/results/table.h"

namespace attnlab::app {

namespace {

struct RunArguments {
  SweepArguments sweep;
  RunSettings settings;
  bool no_sentence_tests = false;
};

int run(const RunArguments& arguments) {
  const SweepPlan planned = plan_sweep(arguments.sweep, MissingData::refuse, arguments.settings.cache);
  const std::string& out = arguments.settings.out;
  const sweep::SweepResult result = run_planned(planned, arguments.settings);
  results::ReportOptions options = page_after(result);
  options.sentence_tests = options.sentence_tests && !arguments.no_sentence_tests;
  const auto page = write_page(out, options);
  fmt::print("{}\n", results::render_table(out, results::Format::markdown));
  fmt::print("Report: {0}\nResults: {1}/table.md, results.csv, results.json; runs: {1}/runs/\n", page.string(), out);
  if (result.stopped_by_person) say("attnlab: stopped; the same command continues\n");
  return exit_code_of(result);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<RunArguments>();
  CLI::App* verb =
      app.add_subcommand("run", "Start, or continue, all runs of a spec, print the table and write the report");
  add_sweep_arguments(*verb, a->sweep);
  add_run_settings(*verb, a->settings);
  verb->add_flag("--no-sentence-tests", a->no_sentence_tests,
                 "leave the paired tests over the sentences of the translations out of the report");
  verb->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace attnlab::app
