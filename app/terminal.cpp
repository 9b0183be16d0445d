#include "app/terminal.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/stop_signal.h"
#include "support/number_text.h"

namespace attnlab::app {

bool interactive() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string(terminal) != "dumb";
}

sweep::ProgressStyle terminal_style(std::FILE* stream) {
  sweep::ProgressStyle style{10000, 10000, sweep::Color::off};
  const int descriptor = fileno(stream);
  if (isatty(descriptor) == 0) return style;
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
  style.width = known ? size.ws_col : 80;
  style.height = known ? size.ws_row : 24;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color == nullptr || *no_color == '\0') style.color = sweep::Color::on;
  return style;
}

RunProgress::~RunProgress() {
  if (line_open_) std::fputc('\n', stderr);
}

void RunProgress::show(const std::string& line, bool in_place) {
  if (in_place) {
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
  } else {
    std::fprintf(stderr, "%s%s\n", line_open_ ? "\n" : "", line.c_str());
  }
  line_open_ = in_place;
  std::fflush(stderr);
}

void RunProgress::began(const std::string& what) {
  if (!quiet_) show(what, false);
}

void RunProgress::started(int64_t first_step, int64_t last_step) {
  first_step_ = first_step;
  last_step_ = last_step;
  start_ = last_shown_ = Clock::now();
  if (!quiet_ && first_step > 1) show(fmt::format("continuing after step {}", first_step - 1), false);
}

void RunProgress::stepped(const training::StepReport& step) {
  if (quiet_) return;
  const double speed = static_cast<double>(step.target_tokens) / step.seconds;
  tokens_per_second_ = tokens_per_second_ == 0 ? speed : 0.95 * tokens_per_second_ + 0.05 * speed;
  const auto now = Clock::now();
  const bool in_place = interactive();
  const bool last = step.step == last_step_;
  if (!last && now - last_shown_ < (in_place ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000)))
    return;
  last_shown_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left =
      elapsed / static_cast<double>(step.step - first_step_ + 1) * static_cast<double>(last_step_ - step.step);
  show(fmt::format("step {}/{}  loss {}  {:.0f} tokens/s  rate {:.2e}  left {}", step.step, last_step_,
                   number_text(step.loss, 3), tokens_per_second_, step.learning_rate, sweep::format_duration(left)),
       in_place);
}

void RunProgress::validated(const training::ValidationReport& validation) {
  if (quiet_) return;
  std::string line = fmt::format("step {}  validation loss {}  perplexity {}", validation.step,
                                 number_text(validation.loss, 4), number_text(validation.perplexity, 3));
  if (validation.bleu == validation.bleu) line += fmt::format("  BLEU {:.1f}", validation.bleu);
  if (validation.best) line += "  (best so far)";
  show(line, false);
}

void RunProgress::warned(const std::string& message) {
  show("warning: " + message, false);
}

bool RunProgress::stop_requested() {
  return stop_signals() > 0;
}

}  // namespace attnlab::app
