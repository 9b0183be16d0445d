#pragma once
/// What a verb needs to know of the terminal, and the progress line of one run.

#include <chrono>
#include <cstdio>
#include <string>

#include "experiments/run/run_experiment.h"
#include "experiments/sweep/progress.h"

namespace attnlab::app {

/// Whether stderr is a terminal that understands cursor movement.
bool interactive();

/// Size and colours of the terminal behind `stream`; none and unlimited where it is a file or a pipe.
sweep::ProgressStyle terminal_style(std::FILE* stream);

/// Shows one run's progress on stderr: a line in place on a terminal, elsewhere a line every few seconds; warnings
/// always.
class RunProgress : public run::RunObserver {
 public:
  explicit RunProgress(bool quiet) : quiet_(quiet) {}
  ~RunProgress() override;

  void began(const std::string& what) override;
  void started(int64_t first_step, int64_t last_step) override;
  void stepped(const training::StepReport& step) override;
  void validated(const training::ValidationReport& validation) override;
  void warned(const std::string& message) override;
  bool stop_requested() override;

 private:
  void show(const std::string& line, bool in_place);

  using Clock = std::chrono::steady_clock;
  bool quiet_;
  bool line_open_ = false;  ///< an in-place line stands on the terminal
  int64_t first_step_ = 1, last_step_ = 0;
  Clock::time_point start_, last_shown_;
  double tokens_per_second_ = 0;
};

}  // namespace attnlab::app
