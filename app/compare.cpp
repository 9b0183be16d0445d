// attnlab compare runs A B: paired significance tests between the test translations of two runs.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/checked_option.h"
#include "app/compare_studies.h"
#include "app/verbs.h"
#include "experiments/evaluation/compare_runs.h"
#include "experiments/spec/metrics.h"

namespace attnlab::app {

namespace {

using evaluation::RunComparison;
using evaluation::RunScore;

struct CompareArguments {
  std::string first, second, references, method = "bootstrap", format = "text";
  evaluation::ComparisonOptions options;
};

nlohmann::ordered_json to_json(const RunScore& score) {
  return {{"score", score.score}, {"mean", score.interval.mean}, {"half_width_95", score.interval.half_width}};
}

void print_json(const CompareArguments& arguments, const RunComparison& result) {
  nlohmann::ordered_json out;
  out["metric"] = result.metric;
  out["method"] = arguments.method;
  out["samples"] = result.samples;
  out["seed"] = arguments.options.seed;
  out["lines"] = result.lines;
  out["differing_lines"] = result.differing_lines;
  out["runs"] = {arguments.first, arguments.second};
  out["first"] = to_json(result.first);
  out["second"] = to_json(result.second);
  out["difference"] = to_json(result.difference);
  out["p_value"] = result.p_value;
  out["signature"] = result.signature;
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(const CompareArguments& arguments, const RunComparison& result) {
  const bool lower_is_better = spec::find_score(arguments.options.metric)->better == spec::Better::lower;
  fmt::print("{} of {} lines, {} of them different{}\n", result.metric, result.lines, result.differing_lines,
             lower_is_better ? "; lower is better" : "");
  const auto interval = [](const RunScore& score) {
    return fmt::format("95 % interval {:.2f} ± {:.2f}", score.interval.mean, score.interval.half_width);
  };
  const std::size_t width = std::max(arguments.first.size(), arguments.second.size());
  fmt::print("  A  {:<{}}  {:7.2f}   {}\n", arguments.first, width, result.first.score, interval(result.first));
  fmt::print("  B  {:<{}}  {:7.2f}   {}\n", arguments.second, width, result.second.score, interval(result.second));
  fmt::print("  B - A{:{}}  {:+7.2f}   {}\n", "", width - 1, result.difference.score, interval(result.difference));
  fmt::print("p = {:.4f} (paired {}, {} samples, seed {}; the runs' sentences only, not their seeds)\n", result.p_value,
             arguments.method == "bootstrap" ? "bootstrap" : "approximate randomisation", result.samples,
             arguments.options.seed);
  fmt::print("{}\n", result.signature);
}

std::vector<std::string> scores() {
  std::vector<std::string> names;
  for (const spec::Choice& score : spec::score_names()) names.push_back(score.name);
  return names;
}

int compare(CompareArguments& arguments) {
  arguments.options.test =
      arguments.method == "bootstrap" ? sacrebleu::PairedTest::bootstrap : sacrebleu::PairedTest::randomisation;
  const RunComparison result =
      evaluation::compare_runs(arguments.first, arguments.second, arguments.options, arguments.references);
  if (arguments.format == "json") {
    print_json(arguments, result);
  } else {
    print_text(arguments, result);
  }
  return done;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<CompareArguments>();
  CLI::App* verb =
      app.add_subcommand("compare", "Significance tests between two runs; the studies of positions and norms");
  verb->require_subcommand(1);
  CLI::App* runs = verb->add_subcommand(
      "runs", "Is B better than A on the sentences of the test set? Paired bootstrap or approximate randomisation");
  runs->add_option("a", a->first, "folder of a completed run")->check(not_empty())->required();
  runs->add_option("b", a->second, "folder of a completed run with the same test set")->check(not_empty())->required();
  runs->add_option("--metric", a->options.metric, spec::names_of(spec::score_names()))
      ->check(CLI::IsMember(scores()))
      ->capture_default_str();
  runs->add_option("--method", a->method, "bootstrap or randomisation")
      ->check(CLI::IsMember({"bootstrap", "randomisation"}))
      ->capture_default_str();
  runs->add_option("--samples", a->options.samples, "resamples or trials; default 1000 resamples, 10000 trials")
      ->transform(count_between(2, 10'000'000));
  runs->add_option("--seed", a->options.seed, "of the resampling")
      ->transform(count_between(1, kLargest))
      ->capture_default_str();
  runs->add_option("--references", a->references, "a file for the references, instead of references.txt in the folders")
      ->check(not_empty());
  runs->add_option("-j,--threads", a->options.threads, "threads; they change the time only")
      ->transform(thread_count())
      ->capture_default_str();
  runs->add_option("--format", a->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  runs->callback([a, &exit_code] { exit_code = compare(*a); });
  add_compare_studies(*verb, exit_code);
}

}  // namespace attnlab::app
