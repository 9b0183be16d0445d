// The picture of published differences beside ours.

#include <algorithm>

#include <fmt/format.h>

#include "experiments/page/plot.h"
#include "experiments/results/difference_range.h"
#include "experiments/results/figures.h"
#include "experiments/results/layout.h"

namespace attnlab::results {
namespace {

using page::kInk;
using page::kSoft;
using page::Plot;
using page::Range;
using page::series_ink;
using page::widest;

constexpr double kRow = 26, kSize = 12;

std::vector<const PublishedCell*> cells_with_differences(const PublishedMetric& published) {
  std::vector<const PublishedCell*> cells;
  for (const auto& cell : published.cells)
    if (cell.published_delta) cells.push_back(&cell);
  return cells;
}

Range range_of(const std::vector<const PublishedCell*>& cells) {
  Range means;
  means.add(0);
  std::vector<PairedDifference> differences;
  for (const auto* cell : cells) {
    means.add(*cell->published_delta);
    means.add(cell->ours.difference.mean);
    differences.push_back(cell->ours.difference);
  }
  return with_intervals(means, differences, means.high - means.low).widened(0.06);
}

void draw_row(page::Svg& svg, const Plot& plot, const PublishedCell& cell, double y) {
  const auto& ours = cell.ours.difference;
  const auto inside = [&](double value) { return std::clamp(plot.x_of(value), plot.left, plot.right); };
  if (ours.low) svg.line(inside(*ours.low), y - 4, inside(*ours.high), y - 4, series_ink(0), 2);
  svg.circle(plot.x_of(ours.mean), y - 4, 4.5, series_ink(0));
  svg.ring(plot.x_of(*cell.published_delta), y + 6, 4, series_ink(1));
  svg.text(plot.right + 12, y + 4, to_string(cell.direction),
           {cell.direction == Direction::open ? kSoft : kInk, 11.5, "start", cell.direction == Direction::opposite});
}

}  // namespace

std::optional<page::Svg> draw_published(const SweepResults& results, const Grid& grid,
                                        const PublishedMetric& published) {
  const auto cells = cells_with_differences(published);
  if (cells.empty()) return std::nullopt;
  std::vector<std::string> labels;
  for (const auto* cell : cells) labels.push_back(page::shortened(cell_label(results, grid, cell->cell), 56));
  Plot plot;
  plot.x = range_of(cells);
  plot.left = 24 + widest(labels, kSize);
  plot.right = plot.left + 480;
  plot.top = 34;
  plot.bottom = plot.top + kRow * static_cast<double>(cells.size()) + 6;
  const std::string label = metric_label(published.metric);
  page::Svg svg(plot.right + 130, plot.bottom + 46, "Differences in " + label + ", published and here");
  svg.circle(plot.left + 6, 16, 4.5, series_ink(0));
  svg.text(plot.left + 16, 20, "here, with the 95 % t interval", {kInk, kSize});
  svg.ring(plot.left + 236, 16, 4, series_ink(1));
  svg.text(plot.left + 246, 20, "published", {kInk, kSize});
  draw_x_axis(svg, plot, fmt::format("difference in {} to the baseline", label), true);
  svg.line(plot.x_of(0), plot.top, plot.x_of(0), plot.bottom, kSoft, 1.2);
  for (size_t i = 0; i < cells.size(); ++i) {
    const double y = plot.top + kRow * (static_cast<double>(i) + 0.5) + 2;
    svg.text(plot.left - 12, y + 4, labels[i], {kInk, kSize, "end"});
    draw_row(svg, plot, *cells[i], y);
  }
  return svg;
}

}  // namespace attnlab::results
