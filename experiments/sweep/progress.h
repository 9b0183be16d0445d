#pragma once
/// The words in which a sweep tells a person how it goes. Only text is made here; the program prints it.

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/sweep/runner.h"
#include "experiments/sweep/status.h"

namespace attnlab::sweep {

/// ANSI colours, or none (NO_COLOR, not a terminal).
enum class Color { off, on };

/// How text is fitted to a terminal.
struct ProgressStyle {
  size_t width = 80;   ///< columns; longer lines are cut
  size_t height = 24;  ///< lines; the live view leaves the last one to the cursor
  Color color = Color::off;
};

/// "0:07", "12:30", "1:02:03".
std::string format_duration(double seconds);

/// How long the rest will take if it goes on as since this start, in seconds; below 0: not known yet.
double seconds_left(const SweepView& view);

/// For a terminal: one line for the sweep and one for each running run, each ended by a newline.
std::string render_live(const SweepView& view, const ProgressStyle& style);

/// Puts `next` in the place of `previous` (both from render_live; empty at first and to take it away).
std::string redraw(const std::string& previous, const std::string& next);

/// For a log file: the whole state as one line, with newline.
std::string render_plain(const SweepView& view);

/// One line, with newline, for a run that has begun or ended; the reason of a failure follows, indented.
std::string render_event(const RunStatus& run, const ProgressStyle& style);

/// The table of `attnlab status`: one line a run, then a line of counts.
std::string render_status(const std::vector<RunStatus>& runs, const ProgressStyle& style);

}  // namespace attnlab::sweep
