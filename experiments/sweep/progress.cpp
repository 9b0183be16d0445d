#include "experiments/sweep/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "support/number_text.h"

namespace attnlab::sweep {
namespace {

constexpr double kTooEarly = 3.0;  // seconds before a forecast is worth showing
constexpr size_t kBarCells = 12;

const char* color_of(run_folder::Status status) {
  switch (status) {
    case run_folder::Status::completed:
      return "\x1b[32m";
    case run_folder::Status::failed:
      return "\x1b[31m";
    case run_folder::Status::diverged:
      return "\x1b[33m";
    case run_folder::Status::interrupted:
      return "\x1b[33m";
    case run_folder::Status::running:
      return "\x1b[36m";
    default:
      return "";
  }
}

std::string paint(const std::string& text, run_folder::Status status, Color color) {
  if (color == Color::off || *color_of(status) == '\0') return text;
  return color_of(status) + text + "\x1b[0m";
}

/// The first `width` characters (code points) of a line without colours.
std::string cut(const std::string& line, size_t width) {
  size_t characters = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0) == 0x80) continue;
    if (characters++ == width) return line.substr(0, i);
  }
  return line;
}

size_t characters_in(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// At most `width` characters of a name, without its middle: names of one sweep differ at their ends too, in hash and
/// seed.
std::string shortened(const std::string& name, size_t width) {
  const size_t characters = characters_in(name);
  if (characters <= width || width < 2) return cut(name, width);
  const size_t end = width / 2, left_out = characters - end;
  return cut(name, width - end - 1) + "…" + name.substr(cut(name, left_out).size());
}

std::string run_name(const RunStatus& run) {
  return fmt::format("{} seed={}", run.variant, run.seed);
}

std::string with_commas(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<size_t>(i), ",");
  return digits;
}

std::string bar(const RunProgress& progress) {
  const double share =
      progress.steps > 0 ? static_cast<double>(progress.step) / static_cast<double>(progress.steps) : 0;
  const auto full = static_cast<size_t>(std::clamp(share, 0.0, 1.0) * kBarCells);
  std::string text;
  for (size_t i = 0; i < kBarCells; ++i) text += i < full ? "█" : "░";
  return text;
}

std::string progress_words(const RunProgress& progress) {
  if (progress.step == 0) return "getting ready";
  std::string text = fmt::format("{}/{}", progress.step, progress.steps);
  if (progress.step >= progress.steps) return text + "  evaluating";
  if (progress.loss) text += "  loss " + number_text(*progress.loss, 3);
  if (progress.tokens_per_second) text += fmt::format("  {} tokens/s", with_commas(*progress.tokens_per_second));
  return text;
}

size_t count(const std::vector<RunStatus>& runs, run_folder::Status status) {
  return static_cast<size_t>(
      std::count_if(runs.begin(), runs.end(), [&](const RunStatus& run) { return run.status == status; }));
}

/// "5 of 16 completed, 2 running, 1 failed".
std::string counts(const std::vector<RunStatus>& runs) {
  std::string text = fmt::format("{} of {} completed", count(runs, run_folder::Status::completed), runs.size());
  for (const run_folder::Status status :
       {run_folder::Status::running, run_folder::Status::failed, run_folder::Status::diverged,
        run_folder::Status::interrupted, run_folder::Status::queued})
    if (const size_t number = count(runs, status); number > 0)
      text += fmt::format(", {} {}", number, status == run_folder::Status::queued ? "waiting" : to_string(status));
  return text;
}

std::string head_line(const SweepView& view) {
  std::string text = counts(view.runs) + "   " + format_duration(view.elapsed_seconds);
  if (const double left = seconds_left(view); left > 0) text += fmt::format(", about {} left", format_duration(left));
  return text;
}

/// The first line of an error: the rest stands in the log.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string indented(const std::string& text) {
  std::string result;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    result += "    " + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return result;
}

size_t longest_name(const std::vector<RunStatus>& runs) {
  size_t longest = 0;
  for (const auto& run : runs) longest = std::max(longest, run_name(run).size());
  return longest;
}

std::string status_line(const RunStatus& run, size_t name_width, const ProgressStyle& style) {
  std::string detail;
  if (run.progress.step > 0) detail = fmt::format("{}/{} steps", run.progress.step, run.progress.steps);
  if (run.progress.loss) detail += "  loss " + number_text(*run.progress.loss, 3);
  if (run.seconds > 0) detail += "  " + format_duration(run.seconds);
  if (!run.error.empty()) detail += "  " + first_line(run.error);
  const auto state = paint(fmt::format("{:<11}", to_string(run.status)), run.status, style.color);
  auto line = fmt::format("{:<{}}  {}  {}", run_name(run), name_width, state, detail);
  while (line.back() == ' ') line.pop_back();
  return line + "\n";
}

}  // namespace

std::string format_duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::max(0.0, std::round(seconds)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

double seconds_left(const SweepView& view) {
  int64_t done = -view.steps_before, left = 0;
  for (const auto& run : view.runs) {
    const bool finished = is_finished(run.status);
    done += finished ? run.progress.steps : run.progress.step;
    if (run.status == run_folder::Status::running || run.status == run_folder::Status::queued)
      left += run.progress.steps - run.progress.step;
  }
  if (done <= 0 || view.elapsed_seconds < kTooEarly) return -1;
  return view.elapsed_seconds * static_cast<double>(std::max<int64_t>(0, left)) / static_cast<double>(done);
}

std::string render_live(const SweepView& view, const ProgressStyle& style) {
  std::string text = cut(head_line(view), style.width) + "\n";
  size_t lines = 1, hidden = 0;
  const size_t name_width = std::min(longest_name(view.runs), style.width / 2);
  for (const auto& run : view.runs) {
    if (run.status != run_folder::Status::running) continue;
    if (lines + 2 >= style.height) {
      ++hidden;
      continue;
    }
    const auto name = shortened(run_name(run), name_width);
    text += cut(fmt::format("  {:<{}} {} {}", name, name_width, bar(run.progress), progress_words(run.progress)),
                style.width) +
            "\n";
    ++lines;
  }
  if (hidden > 0) text += fmt::format("  and {} more\n", hidden);
  return text;
}

std::string redraw(const std::string& previous, const std::string& next) {
  const auto lines = std::count(previous.begin(), previous.end(), '\n');
  return (lines > 0 ? fmt::format("\x1b[{}A\r\x1b[J", lines) : std::string()) + next;
}

std::string render_plain(const SweepView& view) {
  std::string text = head_line(view);
  for (const auto& run : view.runs)
    if (run.status == run_folder::Status::running)
      text += fmt::format("; {}: {}", run_name(run), progress_words(run.progress));
  return text + "\n";
}

std::string render_event(const RunStatus& run, const ProgressStyle& style) {
  const std::string state = run.status == run_folder::Status::running ? "started" : to_string(run.status);
  std::string text = paint(fmt::format("{:<11}", state), run.status, style.color) + " " + run_name(run);
  if (run.status == run_folder::Status::running)
    text += fmt::format("  ({} thread{})", run.threads, run.threads == 1 ? "" : "s");
  else
    text += fmt::format("  ({})", format_duration(run.seconds));
  return text + "\n" + indented(run.error);
}

std::string render_status(const std::vector<RunStatus>& runs, const ProgressStyle& style) {
  std::string text;
  const size_t name_width = longest_name(runs);
  for (const auto& run : runs) text += status_line(run, name_width, style);
  return text + counts(runs) + "\n";
}

}  // namespace attnlab::sweep
