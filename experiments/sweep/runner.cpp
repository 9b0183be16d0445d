#include "experiments/sweep/runner.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "experiments/run_folder/lock.h"
#include "experiments/sweep/prepare.h"
#include "experiments/sweep/process.h"
#include "experiments/sweep/settle.h"
#include "support/clock.h"
#include "support/cores.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;

/// Steps that need no more work: all of a finished run.
int64_t steps_done(const RunStatus& run) {
  return is_finished(run.status) ? run.progress.steps : run.progress.step;
}

/// 0 for a log that could not be made; the start of the process then says why.
uintmax_t size_of(const fs::path& log) {
  std::error_code missing;
  const uintmax_t size = fs::file_size(log, missing);
  return missing ? 0 : size;
}

/// The loop over processes. All files are in place when it begins.
class Runner {
 public:
  Runner(std::vector<ManifestRun> runs, const RunnerOptions& options, const run_folder::FolderLock& lock,
         RunnerObserver& observer)
      : runs_(std::move(runs)), options_(options), lock_(lock), observer_(observer) {
    const auto variants = shown_variants(runs_);
    for (size_t i = 0; i < runs_.size(); ++i) {
      view_.runs.push_back(read_status(options_.out, runs_[i], variants[i]));
      view_.steps_before += steps_done(view_.runs[i]);
      if (is_finished(view_.runs[i].status))
        ++done_before_;
      else
        waiting_.push_back(i);
    }
    const size_t cores = options_.cores > 0 ? options_.cores : usable_cores();
    jobs_ = std::max<size_t>(1, std::min(options_.jobs, waiting_.size()));
    threads_ = static_cast<int>(std::max<size_t>(1, cores / jobs_));
  }

  SweepResult run() {
    while (true) {
      heed_stop_requests();
      reap();
      while (!stopping_ && active_.size() < jobs_ && next_ < waiting_.size()) start(waiting_[next_++]);
      if (active_.empty() && (stopping_ || next_ == waiting_.size())) break;
      report_progress();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    view_.elapsed_seconds = seconds_since(begin_);
    observer_.progressed(view_);
    return result();
  }

 private:
  struct Active {
    size_t index;
    Process process;
    uintmax_t log_start;  ///< size of train.log when it started
    Clock::time_point begin;
    double seconds_before;
  };

  static std::vector<std::pair<std::string, std::string>> environment_of(int threads) {
    const auto count = std::to_string(threads);
    std::vector<std::pair<std::string, std::string>> environment{{"OMP_NUM_THREADS", count},
                                                                 {"MKL_NUM_THREADS", count}};
    // By default threads spin for milliseconds before they sleep: on a machine with other work, a run then takes twice
    // as long.
    if (std::getenv("GOMP_SPINCOUNT") == nullptr && std::getenv("OMP_WAIT_POLICY") == nullptr) {
      environment.emplace_back("GOMP_SPINCOUNT", "10000");
    }
    return environment;
  }

  void start(size_t index) {
    const auto folder = run_path(options_.out, runs_[index]);
    auto& status = view_.runs[index];
    const auto record = record_start(folder, runs_[index], threads_);
    status.status = run_folder::Status::running;
    status.threads = record.threads;
    status.error.clear();
    const auto log = folder / "train.log";
    Command command{options_.command(folder / "config.json", folder), environment_of(record.threads), log,
                    lock_.descriptor()};
    const uintmax_t log_start = size_of(log);
    try {
      active_.push_back({index, Process(command), log_start, Clock::now(), record.seconds});
      observer_.began(status);
    } catch (const Error& problem) {
      record_no_start(folder, problem.what());
      settled(index);
    }
  }

  void reap() {
    for (size_t i = 0; i < active_.size();) {
      const auto exit_status = active_[i].process.poll();
      if (!exit_status) {
        ++i;
        continue;
      }
      const size_t index = active_[i].index;
      const EndedStart start{*exit_status, stopping_ ? Asked::yes : Asked::no, active_[i].log_start,
                             seconds_since(active_[i].begin)};
      record_end(run_path(options_.out, runs_[index]), runs_[index], start);
      active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
      settled(index);
    }
  }

  /// A run has its final record for this start.
  void settled(size_t index) {
    auto& status = view_.runs[index];
    status = read_status(options_.out, runs_[index], status.variant);
    observer_.ended(status);
    if (options_.on_failure == OnFailure::stop && is_failure(status.status)) stop(SIGINT);
  }

  bool is_failure(run_folder::Status status) const {
    return status == run_folder::Status::failed ||
           (status == run_folder::Status::diverged && options_.sweep.on_divergence == spec::OnDivergence::fail);
  }

  void heed_stop_requests() {
    const int requests = options_.stop_requests ? options_.stop_requests() : 0;
    if (requests > 0) stopped_by_person_ = true;
    if (requests > 0 && !stopping_) stop(SIGINT);
    if (requests > 1 && !killing_) {
      killing_ = true;
      for (auto& run : active_) run.process.send(SIGKILL);
    }
  }

  void stop(int signal) {
    if (stopping_) return;
    stopping_ = true;
    for (auto& run : active_) run.process.send(signal);
  }

  void report_progress() {
    if (seconds_since(reported_) < options_.poll_seconds) return;
    reported_ = Clock::now();
    for (const auto& run : active_) {
      auto& status = view_.runs[run.index];
      const int64_t planned = status.progress.steps;
      status.progress = read_progress(run_path(options_.out, runs_[run.index]));
      if (status.progress.steps == 0) status.progress.steps = planned;
      status.seconds = run.seconds_before + seconds_since(run.begin);
    }
    view_.elapsed_seconds = seconds_since(begin_);
    observer_.progressed(view_);
  }

  SweepResult result() const {
    SweepResult result;
    result.done_before = done_before_;
    result.stopped_by_person = stopped_by_person_;
    for (const auto& run : view_.runs) {
      result.completed += run.status == run_folder::Status::completed;
      result.failed += run.status == run_folder::Status::failed;
      result.diverged += run.status == run_folder::Status::diverged;
      result.interrupted += run.status == run_folder::Status::interrupted;
      result.queued += run.status == run_folder::Status::queued;
      result.failures += is_failure(run.status);
    }
    return result;
  }

  std::vector<ManifestRun> runs_;
  const RunnerOptions& options_;
  const run_folder::FolderLock& lock_;
  RunnerObserver& observer_;
  SweepView view_;
  std::vector<size_t> waiting_;  ///< indices of runs that this start has to do
  size_t next_ = 0;              ///< into `waiting_`
  std::vector<Active> active_;
  size_t jobs_ = 1, done_before_ = 0;
  int threads_ = 1;
  bool stopping_ = false, killing_ = false, stopped_by_person_ = false;
  Clock::time_point begin_ = Clock::now(), reported_;
};

}  // namespace

SweepResult run_sweep(const std::vector<spec::PlannedRun>& plan, const RunnerOptions& options,
                      RunnerObserver& observer) {
  refuse_problems(plan);
  make_folder(options.out);
  const run_folder::FolderLock lock(options.out);
  return Runner(prepare_folders(plan, options), options, lock, observer).run();
}

}  // namespace attnlab::sweep
