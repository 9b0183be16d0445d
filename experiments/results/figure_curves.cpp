// The pictures of learning curves.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "experiments/page/plot.h"
#include "experiments/results/figures.h"

namespace attnlab::results {
namespace {

using page::Plot;
using page::Range;

constexpr size_t kMostOwnColours = page::kSeriesColours;  // cells that can have a colour each
constexpr size_t kMostEntries = 18;                       // of a legend

/// The factor whose levels differ most in their means: its colours show most.
int strongest_factor(const Effects& effects) {
  int strongest = -1;
  double widest = -1;
  for (const auto& effect : effects.main) {
    Range means;
    for (const auto& level : effect.levels)
      if (level.mean) means.add(*level.mean);
    if (means.high - means.low <= widest) continue;
    widest = means.high - means.low;
    strongest = static_cast<int>(effect.factor);
  }
  return strongest;
}

/// Completed runs set the axis; one that exploded would leave them no room. Without any, all lines do.
Range value_range(const LearningCurves& curves, Loss loss) {
  Range completed, all;
  for (const auto& line : curves.lines) {
    const auto& curve = curve_of(line, loss);
    for (size_t i = 0; i < curve.steps.size(); ++i)
      for (const double value : {curve.low[i], curve.high[i]}) {
        all.add(value);
        if (line.unfinished.empty()) completed.add(value);
      }
  }
  return completed.empty ? all : completed;
}

Range step_range(const LearningCurves& curves, Loss loss) {
  Range steps;
  steps.add(0);
  for (const auto& line : curves.lines)
    for (const int64_t step : curve_of(line, loss).steps) steps.add(static_cast<double>(step));
  return steps;
}

void draw_line(page::Svg& svg, const Plot& plot, const Line& line, const MeanCurve& curve, page::Ink ink, size_t index,
               bool crowded) {
  svg.open(fmt::format("class=\"line\" data-line=\"{}\"", index));
  page::Points mean, band, lower;
  for (size_t i = 0; i < curve.steps.size(); ++i) {
    const double x = plot.x_of(static_cast<double>(curve.steps[i]));
    mean.emplace_back(x, plot.y_of(curve.mean[i]));
    band.emplace_back(x, plot.y_of(curve.high[i]));
    lower.emplace_back(x, plot.y_of(curve.low[i]));
  }
  if (line.runs > 1 && mean.size() > 1) {
    std::copy(lower.rbegin(), lower.rend(), std::back_inserter(band));
    svg.area(band, ink, crowded ? 0.06 : 0.16);
  }
  if (mean.size() > 1) {
    svg.curve(mean, ink, line.unfinished.empty() ? (crowded ? 1.3 : 1.8) : 1.1);
  } else if (line.unfinished.empty() && !mean.empty()) {
    svg.circle(mean[0].first, mean[0].second, 3, ink);
  }
  if (!line.unfinished.empty() && !mean.empty()) svg.cross(mean.back().first, mean.back().second, 3.5, ink);
  svg.close();
}

void draw_legend(page::Svg& svg, const Plot& plot, const std::string& heading, const std::vector<std::string>& names) {
  svg.open("class=\"legend\"");
  double y = plot.top + 8;
  if (!heading.empty()) svg.text(plot.right + 16, y, heading, {page::kSoft, 11.5});
  y += heading.empty() ? 0 : 18;
  for (size_t i = 0; i < std::min(names.size(), kMostEntries); ++i, y += 18) {
    svg.curve({{plot.right + 16, y - 4}, {plot.right + 34, y - 4}}, page::series_ink(i), 2.4);
    svg.text(plot.right + 40, y, page::shortened(names[i], 38), {page::kInk, 11.5});
  }
  if (names.size() > kMostEntries)
    svg.text(plot.right + 40, y, fmt::format("and {} more", names.size() - kMostEntries), {page::kSoft, 11.5});
  svg.close();
}

}  // namespace

std::string loss_label(Loss loss) {
  return loss == Loss::train ? "Training loss (nats per token)" : "Validation loss (nats per token)";
}

const MeanCurve& curve_of(const Line& line, Loss loss) {
  return loss == Loss::train ? line.train : line.valid;
}

std::optional<CurvesFigure> draw_curves(const SweepSummary& summary, const Grid& grid, const Effects& effects,
                                        const LearningCurves& curves, Loss loss) {
  Plot plot{64, 14, 810, 374, step_range(curves, loss), value_range(curves, loss)};
  if (plot.y.empty) return std::nullopt;
  plot.y = plot.y.widened(0.04);
  const size_t cells = summary.results.cells.size();
  const int colour = cells > kMostOwnColours ? strongest_factor(effects) : -1;
  CurvesFigure figure{page::Svg(1100, 420, loss_label(loss)), colour, plot.left, plot.top, plot.right, plot.bottom};
  auto& svg = figure.svg;
  svg.open("class=\"axes\"");
  draw_y_axis(svg, plot, loss_label(loss));
  draw_x_axis(svg, plot, "optimizer step", false);
  svg.close();
  svg.open("class=\"lines\"");
  for (size_t i = 0; i < curves.lines.size(); ++i) {
    const auto& line = curves.lines[i];
    const size_t series = colour < 0 ? line.cell : grid.levels_of[line.cell][static_cast<size_t>(colour)];
    draw_line(svg, plot, line, curve_of(line, loss), page::series_ink(series), i, cells > kMostOwnColours);
  }
  svg.close();
  std::vector<std::string> names;
  if (colour >= 0) {
    names = grid.factors[static_cast<size_t>(colour)].levels;
  } else {
    for (size_t cell = 0; cell < cells; ++cell) names.push_back(cell_label(summary.results, grid, cell));
  }
  draw_legend(svg, plot, colour < 0 ? "" : grid.factors[static_cast<size_t>(colour)].name, names);
  return figure;
}

}  // namespace attnlab::results
