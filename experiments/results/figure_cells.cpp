// The picture of all cells, and those of the factors.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "experiments/page/plot.h"
#include "experiments/results/difference_range.h"
#include "experiments/results/figures.h"
#include "experiments/results/layout.h"

namespace attnlab::results {
namespace {

using page::kInk;
using page::kRule;
using page::kSoft;
using page::Plot;
using page::Range;
using page::series_ink;
using page::widest;

constexpr size_t kLongestLabel = 56;  // characters

/// Null without the metric, or where it is infinite, for which an axis has no place.
const MetricSummary* main_metric(const SweepSummary& summary, size_t cell) {
  const auto found = summary.cells[cell].metrics.find(summary.results.metric);
  const bool drawn = found != summary.cells[cell].metrics.end() && std::isfinite(found->second.mean);
  return drawn ? &found->second : nullptr;
}

std::string goal_label(const SweepResults& results) {
  return metric_label(results.metric) + (results.goal == sweep::Goal::minimize ? " (lower is better)" : "");
}

/// Cells that have the metric, best first.
std::vector<size_t> ranked(const SweepSummary& summary) {
  std::vector<size_t> cells;
  for (size_t i = 0; i < summary.cells.size(); ++i)
    if (main_metric(summary, i) != nullptr) cells.push_back(i);
  const bool high = summary.results.goal == sweep::Goal::maximize;
  std::stable_sort(cells.begin(), cells.end(), [&](size_t a, size_t b) {
    const double left = main_metric(summary, a)->mean, right = main_metric(summary, b)->mean;
    return high ? left > right : left < right;
  });
  return cells;
}

std::string signed_text(const std::string& metric, double value) {
  std::string text = format_metric(metric, value);
  if (text[0] == '-') return text.replace(0, 1, "−");
  return "+" + text;
}

std::string contrast_text(const std::string& metric, const Contrast& contrast) {
  const auto& difference = contrast.difference;
  std::string text = signed_text(metric, difference.mean);
  if (difference.low)
    text += fmt::format(" [{}, {}]", signed_text(metric, *difference.low), signed_text(metric, *difference.high));
  return text;
}

/// The dots of one row, and its mean in figures.
void draw_cell(page::Svg& svg, const Plot& plot, const SweepSummary& summary, size_t index, double y, double size) {
  const auto& metric = *main_metric(summary, index);
  const auto& cell = summary.cells[index];
  const auto& name = summary.results.metric;
  const auto ink = series_ink(cell.comparison.kind == Comparison::Kind::baseline ? 1 : 0);
  if (metric.sd) {
    Range seeds;
    for (const auto& [seed, value] : metric.by_seed) seeds.add(value);
    svg.line(plot.x_of(seeds.low), y, plot.x_of(seeds.high), y, ink, 1.5);
    for (const auto& [seed, value] : metric.by_seed)
      svg.circle(plot.x_of(value), y, 2.6, ink, 0.55, fmt::format("seed {}: {}", seed, format_metric(name, value)));
  }
  svg.circle(plot.x_of(metric.mean), y, 4.5, ink, 1, "mean: " + format_metric(name, metric.mean));
  svg.text(plot.right + 10, y + 4, format_metric(name, metric.mean),
           {cell.best ? kInk : kSoft, size, "start", cell.best});
}

/// A row of the picture of effects.
struct EffectRow {
  std::string label;
  bool heading = false, reference = false;
  std::optional<Contrast> contrast;
};

std::vector<EffectRow> effect_rows(const Grid& grid, const Effects& effects) {
  std::vector<EffectRow> rows;
  for (const auto& effect : effects.main) {
    const auto& factor = grid.factors[effect.factor];
    rows.push_back({page::shortened(factor.name, kLongestLabel), true, false, {}});
    for (size_t level = 0; level < factor.levels.size(); ++level)
      rows.push_back({page::shortened(factor.levels[level], kLongestLabel), false, level == factor.reference,
                      effect.levels[level].from_reference});
  }
  return rows;
}

Range effect_range(const std::vector<EffectRow>& rows) {
  Range means;
  means.add(0);
  std::vector<PairedDifference> differences;
  for (const auto& row : rows) {
    if (!row.contrast) continue;
    differences.push_back(row.contrast->difference);
    means.add(row.contrast->difference.mean);
  }
  return with_intervals(means, differences, 3 * std::max(means.high - means.low, 1e-12));
}

void draw_effect(page::Svg& svg, const Plot& plot, const SweepResults& results, const EffectRow& row, double y) {
  std::string words = row.reference ? "reference" : "no match";
  if (row.reference) svg.ring(plot.x_of(0), y, 4, kSoft);
  if (row.contrast) {
    const auto& difference = row.contrast->difference;
    if (difference.low) svg.line(plot.x_of(*difference.low), y, plot.x_of(*difference.high), y, series_ink(0), 2);
    svg.circle(plot.x_of(difference.mean), y, 4.5, series_ink(0));
    words = contrast_text(results.metric, *row.contrast);
  }
  svg.text(plot.right + 12, y + 4, words, {row.contrast ? kInk : kSoft, 11.5});
}

}  // namespace

std::optional<page::Svg> draw_cells(const SweepSummary& summary, const Grid& grid) {
  const auto cells = ranked(summary);
  if (cells.size() < 2) return std::nullopt;
  const double row = cells.size() > 40 ? 16 : 22, size = cells.size() > 40 ? 10.5 : 12;
  std::vector<std::string> labels;
  Plot plot;
  for (const size_t cell : cells) {
    labels.push_back(page::shortened(cell_label(summary.results, grid, cell), kLongestLabel));
    for (const auto& [seed, value] : main_metric(summary, cell)->by_seed) plot.x.add(value);
  }
  plot.left = 24 + widest(labels, size);
  plot.right = plot.left + 560;
  plot.top = 8;
  plot.bottom = plot.top + row * static_cast<double>(cells.size()) + 6;
  plot.x = plot.x.widened(0.06);
  page::Svg svg(plot.right + 76, plot.bottom + 46, "All cells by " + metric_label(summary.results.metric));
  draw_x_axis(svg, plot, goal_label(summary.results), true);
  for (size_t i = 0; i < cells.size(); ++i) {
    const double y = plot.top + row * (static_cast<double>(i) + 0.5) + 3;
    svg.text(plot.left - 12, y + 4, labels[i], {kInk, size, "end", summary.cells[cells[i]].best});
    draw_cell(svg, plot, summary, cells[i], y, size);
  }
  return svg;
}

std::optional<page::Svg> draw_effects(const SweepResults& results, const Grid& grid, const Effects& effects) {
  const auto rows = effect_rows(grid, effects);
  Plot plot;
  plot.x = effect_range(rows);
  std::vector<std::string> labels, texts;
  for (const auto& row : rows) {
    labels.push_back(row.label);
    if (row.contrast) texts.push_back(contrast_text(results.metric, *row.contrast));
  }
  if (texts.empty()) return std::nullopt;
  constexpr double kRow = 22;
  plot.x = plot.x.widened(0.06);
  plot.left = 40 + widest(labels, 12.5);
  plot.right = plot.left + 480;
  plot.top = 8;
  plot.bottom = plot.top + kRow * static_cast<double>(rows.size()) + 4;
  page::Svg svg(plot.right + 24 + widest(texts, 11.5), plot.bottom + 46,
                "Main effects on " + metric_label(results.metric));
  draw_x_axis(svg, plot, fmt::format("difference in {} to the reference level", metric_label(results.metric)), true);
  svg.line(plot.x_of(0), plot.top, plot.x_of(0), plot.bottom, kSoft, 1.2);
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    const double y = plot.top + kRow * (static_cast<double>(i) + 0.5) + 2;
    svg.text(row.heading ? 12 : 24, y + 4, row.label,
             {row.heading ? kInk : kSoft, row.heading ? 12.5 : 12, "start", row.heading});
    if (!row.heading) draw_effect(svg, plot, results, row, y);
  }
  return svg;
}

std::optional<page::Svg> draw_interaction(const SweepResults& results, const Grid& grid,
                                          const Interaction& interaction) {
  const auto& rows = grid.factors[interaction.first];
  const auto& columns = grid.factors[interaction.second];
  Plot plot;
  for (const auto& row : interaction.means)
    for (const auto& mean : row)
      if (mean) plot.y.add(*mean);
  if (plot.y.empty) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& level : columns.levels) names.push_back(page::shortened(level, 22));
  plot.y = plot.y.widened(0.08);
  plot.left = 58;
  const double step = rows.levels.size() > 8 ? 40 : 52;
  plot.right = plot.left + std::max(150.0, step * static_cast<double>(rows.levels.size()));
  plot.top = 34;
  plot.bottom = plot.top + std::max(190.0, 18.0 * static_cast<double>(names.size()) + 24);
  const std::string title = rows.name + " × " + columns.name;
  page::Svg svg(plot.right + 40 + std::max(widest(names, 11.5), page::text_width(columns.name, 11.5)), plot.bottom + 46,
                title);
  svg.text(12, 18, title, {kInk, 13, "start", true});
  draw_y_axis(svg, plot, metric_label(results.metric));
  const double width = (plot.right - plot.left) / static_cast<double>(rows.levels.size());
  const auto x_of = [&](size_t level) { return plot.left + width * (static_cast<double>(level) + 0.5); };
  for (size_t a = 0; a < rows.levels.size(); ++a)
    svg.text(x_of(a), plot.bottom + 17, page::shortened(rows.levels[a], static_cast<size_t>(width / 6.2)),
             {kSoft, 11, "middle"});
  svg.text((plot.left + plot.right) / 2, plot.bottom + 36, rows.name, {kSoft, 11.5, "middle"});
  svg.text(plot.right + 12, plot.top + 8, columns.name, {kSoft, 11.5});
  for (size_t b = 0; b < columns.levels.size(); ++b) {
    page::Points points;
    for (size_t a = 0; a < rows.levels.size(); ++a)
      if (interaction.means[a][b]) points.emplace_back(x_of(a), plot.y_of(*interaction.means[a][b]));
    if (points.size() > 1) svg.curve(points, series_ink(b), 2);
    for (const auto& [x, y] : points) svg.circle(x, y, 3.6, series_ink(b));
    const double y = plot.top + 26 + 18 * static_cast<double>(b);
    svg.curve({{plot.right + 12, y}, {plot.right + 28, y}}, series_ink(b), 2);
    svg.text(plot.right + 34, y + 4, names[b], {kInk, 11.5});
  }
  return svg;
}

}  // namespace attnlab::results
