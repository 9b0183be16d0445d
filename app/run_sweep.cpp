#include "app/run_sweep.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/say.h"
#include "app/stop_signal.h"
#include "app/terminal.h"
#include "app/verbs.h"
#include "experiments/data/dataset.h"
#include "experiments/results/table.h"
#include "experiments/run_folder/record.h"
#include "experiments/spec/write.h"
#include "experiments/studies/report_study.h"
#include "experiments/sweep/manifest.h"
#include "experiments/sweep/own_files.h"
#include "experiments/training/device.h"
#include "support/cores.h"
#include "support/error.h"

namespace attnlab::app {

namespace {

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

/// What would fail in every run, or mix a sweep with something else.
void check_place_and_devices(const SweepPlan& plan, const RunSettings& settings) {
  for (const auto& run : plan.runs) training::choose_device(run.config.training.device);
  if (std::filesystem::exists(std::filesystem::path(settings.out) / "config.json"))
    throw Error(settings.out + " is the folder of one run (it has a config.json); choose another --out");
  sweep::require_own(settings.out, results::result_names());
  require_cache(settings.cache);
  program_path();
}

/// A vocabulary that a text cannot have is known when its tokenizer is trained, which the first run would do: this does
/// it for all runs that have none yet, before any starts.
void prepare_tokenizers(const SweepPlan& plan, const RunSettings& settings) {
  std::set<std::string> done;
  std::string problems;
  spec::Writer writer;
  for (const auto& run : plan.runs) {
    const std::filesystem::path folder = std::filesystem::path(settings.out) / "runs" / run.folder;
    if (run_folder::look_at_record(folder).inputs.contains("tokenizers")) continue;
    if (!done.insert(writer.text_below(run.config, "data") + writer.text_below(run.config, "tokenizer")).second)
      continue;
    try {
      data::prepare_tokenizers(run.config.data, run.config.tokenizer, settings.cache);
    } catch (const Error& problem) {
      problems += fmt::format("\n  {}: {}", run.variant, problem.what());
    }
  }
  if (!problems.empty()) throw Error("tokenizers cannot be made; nothing was started:" + problems);
}

/// The process of one run. Nothing in it may be taken for an option, whatever --out and --cache begin with.
std::vector<std::string> train_command(const std::filesystem::path& config, const std::filesystem::path& folder,
                                       const std::string& cache) {
  const std::filesystem::path file = config.is_absolute() ? config : "." / config;
  return {program_path(), "train", file.string(), "--out=" + folder.string(), "--cache=" + cache};
}

/// What a person may have missed among many lines: runs that nobody here has stopped are not done.
void tell_of_unfinished(const sweep::SweepResult& result) {
  const size_t unfinished = result.interrupted + result.queued;
  if (unfinished == 0 || result.stopped_by_person) return;
  say("attnlab: {} run{} not finished; the same command continues\n", unfinished, unfinished == 1 ? " is" : "s are");
}

/// Runs of an earlier spec stay in the folder, but not in the table.
void tell_of_older_runs(const std::string& out) {
  const auto runs = sweep::read_manifest(out).runs;
  const auto older = std::count_if(runs.begin(), runs.end(), [](const auto& run) { return !run.current; });
  if (older == 0) return;
  say("attnlab: {} of another version of this spec {} in {}/runs and {} not in the table; running that version again "
      "brings them back\n",
      older == 1 ? "1 run" : fmt::format("{} runs", older), older == 1 ? "stays" : "stay", out,
      older == 1 ? "is" : "are");
}

}  // namespace

void add_run_settings(CLI::App& verb, RunSettings& settings) {
  verb.add_option("--out", settings.out, "folder of the results; given again, the sweep continues there")
      ->check(not_empty())
      ->required();
  verb.add_option("-j,--jobs", settings.jobs,
                  "runs at once; threads are divided among them (default: the cores on a CPU, 1 on a GPU)")
      ->transform(thread_count());
  add_cache_option(verb, settings.cache);
  verb.add_flag("--fail-fast", settings.fail_fast, "stop everything when one run fails");
  verb.add_flag("-q,--quiet", settings.quiet, "only failures and the table");
}

sweep::SweepResult run_planned(const SweepPlan& plan, const RunSettings& settings) {
  check_place_and_devices(plan, settings);
  prepare_tokenizers(plan, settings);
  sweep::RunnerOptions options = runner_options(plan);
  options.out = settings.out;
  options.jobs = settings.jobs > 0 ? settings.jobs : default_jobs(plan.runs);
  options.on_failure = settings.fail_fast ? sweep::OnFailure::stop : sweep::OnFailure::go_on;
  options.command = [&](const std::filesystem::path& config, const std::filesystem::path& folder) {
    return train_command(config, folder, settings.cache);
  };
  // The second ends the runs, and the table is still printed.
  count_stop_signals(/*most=*/3,
                     "\nattnlab: stopping when each run has finished its step; once more ends them at once\n");
  options.stop_requests = stop_signals;

  SweepProgress progress(settings.quiet);
  const sweep::SweepResult result = sweep::run_sweep(plan.runs, options, progress);
  progress.finish();
  tell_of_unfinished(result);
  tell_of_older_runs(settings.out);
  results::write_results(settings.out);
  return result;
}

std::filesystem::path write_page(const std::string& out, results::ReportOptions options) {
  std::optional<studies::StudyReport> study;
  try {
    study = studies::report_study(out);
  } catch (const Error& problem) {
    say("attnlab: {}; the page has no comparison\n", problem.what());
  }
  if (study) {
    studies::write_study(out, *study);
    options.study = &study->section;
  }
  return results::write_report(out, options);
}

results::ReportOptions page_after(const sweep::SweepResult& result) {
  results::ReportOptions options;
  options.sentence_tests = !result.stopped_by_person;
  options.threads = static_cast<int>(std::min<size_t>(usable_cores(), 16));
  return options;
}

int exit_code_of(const sweep::SweepResult& result) {
  if (result.stopped_by_person) return interrupted;
  return result.failures + result.interrupted + result.queued > 0 ? some_failed : done;
}

}  // namespace attnlab::app
