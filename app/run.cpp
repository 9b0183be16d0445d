// attnlab run SPEC --out DIR: starts, or continues, all runs of a sweep, then prints its table and writes its report.

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "app/plan_sweep.h"
#include "app/stop_signal.h"
#include "app/terminal.h"
#include "app/verbs.h"
#include "experiments/results/report/report.h"
#include "experiments/results/table.h"
#include "experiments/sweep/manifest.h"
#include "experiments/sweep/runner.h"
#include "experiments/training/device.h"
#include "support/cores.h"
#include "support/error.h"

namespace attnlab::app {

namespace {

struct RunArguments {
  SweepArguments sweep;
  std::string out, cache = default_cache();
  size_t jobs = 0;
  bool quiet = false, fail_fast = false, no_sentence_tests = false;
};

/// Live lines on a terminal, elsewhere a line every few seconds.
class SweepProgress : public sweep::RunnerObserver {
 public:
  explicit SweepProgress(bool quiet) : quiet_(quiet), live_(interactive()), style_(terminal_style(stderr)) {}

  void began(const sweep::RunStatus& run) override { event(run); }
  void ended(const sweep::RunStatus& run) override { event(run); }
  void progressed(const sweep::SweepView& view) override {
    if (quiet_) return;
    const auto now = std::chrono::steady_clock::now();
    if (live_) {
      const std::string next = sweep::render_live(view, style_);
      print(sweep::redraw(shown_, next));
      shown_ = next;
    } else if (now - last_ > std::chrono::seconds(10)) {
      print(sweep::render_plain(view));
      last_ = now;
    }
  }
  void finish() {
    if (live_) print(sweep::redraw(shown_, ""));
    shown_.clear();
  }

 private:
  void event(const sweep::RunStatus& run) {
    if (quiet_ && run.error.empty()) return;
    if (live_) print(sweep::redraw(shown_, ""));
    shown_.clear();
    print(sweep::render_event(run, style_));
  }
  static void print(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }

  bool quiet_, live_;
  sweep::ProgressStyle style_;
  std::string shown_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Two processes with one thread each do more work than one with two, so as many jobs as cores is the rule on a CPU.
size_t default_jobs(const std::vector<spec::PlannedRun>& plan) {
  const bool cpu = std::all_of(plan.begin(), plan.end(), [](const auto& run) {
    return run.config.training.device == "cpu" ||
           (run.config.training.device == "auto" && !torch::cuda::is_available());
  });
  return cpu ? usable_cores() : 1;
}

/// Runs of an earlier spec stay in the folder, but not in the table.
void tell_of_older_runs(const std::string& out) {
  const auto runs = sweep::read_manifest(out).runs;
  const auto older = std::count_if(runs.begin(), runs.end(), [](const auto& run) { return !run.current; });
  if (older == 0) return;
  fmt::print(stderr,
             "attnlab: {} run{} of another version of this spec stay in {}/runs and are not in the table; running that "
             "version again brings them back\n",
             older, older == 1 ? "" : "s", out);
}

int exit_code_of(const sweep::SweepResult& result) {
  if (result.stopped_by_person) return interrupted;
  return result.failures > 0 ? some_failed : done;
}

int run(const RunArguments& arguments) {
  const SweepPlan planned = plan_sweep(arguments.sweep, MissingData::refuse);
  sweep::RunnerOptions options = runner_options(planned);
  options.out = arguments.out;
  options.jobs = arguments.jobs > 0 ? arguments.jobs : default_jobs(planned.runs);
  options.on_failure = arguments.fail_fast ? sweep::OnFailure::stop : sweep::OnFailure::go_on;
  options.command = [&](const std::filesystem::path& config, const std::filesystem::path& folder) {
    return std::vector<std::string>{program_path(),  "train",   config.string(), "--out",
                                    folder.string(), "--cache", arguments.cache};
  };
  for (const auto& planned_run : planned.runs) training::choose_device(planned_run.config.training.device);
  if (std::filesystem::exists(std::filesystem::path(arguments.out) / "config.json"))
    throw Error(arguments.out + " is the folder of one run (it has a config.json); choose another --out");
  count_stop_signals(/*most=*/3);  // the second ends the runs, and the table is still printed
  options.stop_requests = stop_signals;

  SweepProgress progress(arguments.quiet);
  const sweep::SweepResult result = sweep::run_sweep(planned.runs, options, progress);
  progress.finish();
  tell_of_older_runs(arguments.out);
  results::write_results(arguments.out);
  fmt::print("{}\n", results::render_table(arguments.out, results::Format::markdown));
  results::ReportOptions report;
  report.sentence_tests = !arguments.no_sentence_tests && !result.stopped_by_person;
  report.threads = static_cast<int>(std::min<size_t>(usable_cores(), 16));
  const auto page = results::write_report(arguments.out, report);
  fmt::print("Report: {0}\nResults: {1}/table.md, results.csv, results.json; runs: {1}/runs/\n", page.string(),
             arguments.out);
  if (result.stopped_by_person) fmt::print(stderr, "attnlab: stopped; the same command continues\n");
  return exit_code_of(result);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<RunArguments>();
  CLI::App* verb =
      app.add_subcommand("run", "Start, or continue, all runs of a spec, print the table and write the report");
  add_sweep_arguments(*verb, a->sweep);
  verb->add_option("--out", a->out, "folder of the results; given again, the sweep continues there")->required();
  verb->add_option("-j,--jobs", a->jobs,
                   "runs at once; threads are divided among them (default: the cores on a CPU, 1 on a GPU)")
      ->check(thread_count());
  verb->add_option("--cache", a->cache, "folder of tokenizers and encoded data")->capture_default_str();
  verb->add_flag("--fail-fast", a->fail_fast, "stop everything when one run fails");
  verb->add_flag("--no-sentence-tests", a->no_sentence_tests,
                 "leave the paired tests over the sentences of the translations out of the report");
  verb->add_flag("-q,--quiet", a->quiet, "only failures and the table");
  verb->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace attnlab::app
