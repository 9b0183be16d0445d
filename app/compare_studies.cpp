// attnlab compare positions, attnlab compare norms: the two studies. Each writes a spec, runs it as `attnlab run` does,
// and compares.

#include "app/compare_studies.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/run_sweep.h"
#include "app/say.h"
#include "app/verbs.h"
#include "experiments/studies/norms_study.h"
#include "experiments/studies/positions_study.h"
#include "experiments/sweep/own_files.h"
#include "support/shell.h"

namespace attnlab::app {

namespace {

struct PositionsArguments {
  studies::StudyOptions study;
  std::vector<std::string> methods = studies::standard_methods();
  RunSettings settings;
};

struct NormsArguments {
  studies::NormsOptions options;
  std::optional<double> target;
  RunSettings settings;
};

void add_study_options(CLI::App& verb, studies::StudyOptions& study, RunSettings& settings) {
  verb.add_option("--spec", study.spec,
                  "a sweep's spec to build on: its data, model, training, seeds and metric (default: the study's own)")
      ->check(not_empty());
  verb.add_option("--seeds", study.seeds, "seeds 1 to so many (default: those of the spec)")
      ->transform(count_between(1, 10'000));
  verb.add_option("--set", study.set, "key=value: set a key in every run; may be repeated")->type_name("KEY=VALUE");
  add_run_settings(verb, settings);
}

/// Runs the spec; `report` reads the folder then, also of a study that was stopped.
template <typename Report>
int run_study(Json document, const RunSettings& settings, Report report) {
  spec::SweepSpec sweep = spec::parse_sweep_spec(std::move(document), "the study", ".");
  const SweepPlan planned = plan_sweep(std::move(sweep), MissingData::refuse, settings.cache);
  sweep::require_own(settings.out, {"comparison.json", "comparison.md"});
  const sweep::SweepResult result = run_planned(planned, settings);
  const studies::StudyReport study = report(std::filesystem::path(settings.out));
  studies::write_study(settings.out, study);
  results::ReportOptions options = page_after(result);
  options.study = &study.section;
  const auto page = results::write_report(settings.out, options);
  fmt::print("{}\n", study.text());
  fmt::print(
      "Report: {1}\nComparison: {0}/comparison.md, comparison.json and its pictures; results: {0}/results.csv, "
      "table.md;\n`attnlab run {2} --out {3}` runs the same again or continues it\n",
      settings.out, page.string(), shell_path(std::filesystem::path(settings.out) / "spec.json"),
      shell_path(settings.out));
  if (result.stopped_by_person) say("attnlab: stopped; the same command continues\n");
  return exit_code_of(result);
}

int compare_positions(const PositionsArguments& arguments) {
  return run_study(studies::positions_spec(arguments.study, arguments.methods), arguments.settings,
                   [](const std::filesystem::path& out) { return studies::report_positions(out); });
}

int compare_norms(const NormsArguments& arguments) {
  return run_study(studies::norms_spec(arguments.options), arguments.settings,
                   [&](const std::filesystem::path& out) { return studies::report_norms(out, arguments.target); });
}

void add_positions(CLI::App& compare, int& exit_code) {
  auto a = std::make_shared<PositionsArguments>();
  CLI::App* verb = compare.add_subcommand(
      "positions", "Study: position methods on equal terms, with lengths beyond those of training (docs/studies.md)");
  verb->add_option("--methods", a->methods, "names of `attnlab list positions`; the first is the baseline")
      ->check(not_empty())
      ->delimiter(',')
      ->type_name("A,B,...")
      ->capture_default_str();
  add_study_options(*verb, a->study, a->settings);
  verb->callback([a, &exit_code] { exit_code = compare_positions(*a); });
}

void add_norms(CLI::App& compare, int& exit_code) {
  auto a = std::make_shared<NormsArguments>();
  CLI::App* verb = compare.add_subcommand(
      "norms", "Study: norm placement against warm-up and learning rate; gradients by layer (docs/studies.md)");
  verb->add_option("--placements", a->options.placements,
                   "names of `attnlab list placement`; the first is the baseline (default: post,pre)")
      ->check(not_empty())
      ->delimiter(',')
      ->type_name("A,B,...");
  verb->add_option("--norms", a->options.norms, "names of `attnlab list norm.type` (default: the spec's one)")
      ->check(not_empty())
      ->delimiter(',')
      ->type_name("A,B,...");
  verb->add_option("--warmups", a->options.warmups, "steps of linear rise (default: 0,250)")
      ->delimiter(',')
      ->transform(allowed_for("training.schedule.warmup"))
      ->type_name("N,N,...");
  verb->add_option("--rates", a->options.rates,
                   "learning rates after the warm-up; for the schedule noam its factors (default: 0.001,0.003)")
      ->delimiter(',')
      ->transform(allowed_for("training.schedule.peak"))
      ->type_name("X,X,...");
  verb->add_option("--target-loss", a->target,
                   "validation loss, nats per piece, whose first step is the speed (default: half the unigram loss)")
      ->transform(number_between(0, 1e6));
  add_study_options(*verb, a->options.study, a->settings);
  verb->callback([a, &exit_code] { exit_code = compare_norms(*a); });
}

}  // namespace

void add_compare_studies(CLI::App& compare, int& exit_code) {
  add_positions(compare, exit_code);
  add_norms(compare, exit_code);
}

}  // namespace attnlab::app
