#include "experiments/page/figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/page/plot.h"

namespace attnlab::page {

namespace {

constexpr Ink kGood{Ink::Kind::series, 0}, kBad{Ink::Kind::series, 1};  // blue and vermilion
constexpr TextLook kTitle{kInk, 14, "start", true}, kMiddle{kInk, 12, "middle"}, kSmallMiddle{kSoft, 11, "middle"},
    kSmallEnd{kSoft, 11, "end"}, kSmall{kSoft, 11.5};

/// A picture that its title fits.
Svg titled(double width, double height, const std::string& title) {
  Svg svg(std::max(width, 32 + 1.1 * text_width(title, kTitle.size)), height, title);
  svg.text(16, 26, title, kTitle);
  return svg;
}

std::vector<Series> drawable(const Chart& chart) {
  std::vector<Series> all;
  for (const Series& series : chart.series) {
    Series kept{series.name, {}};
    for (const auto& [x, y] : series.points) {
      const double shown = chart.logarithmic ? std::log10(y) : y;  // NaN below 0, infinite at 0
      if (std::isfinite(x) && std::isfinite(shown)) kept.points.emplace_back(x, shown);
    }
    all.push_back(std::move(kept));
  }
  return all;
}

void draw_curve(Svg& svg, const Plot& plot, const Series& series, Ink ink) {
  Points points;
  for (const auto& [x, y] : series.points) points.emplace_back(plot.x_of(x), plot.y_of(y));
  if (!points.empty()) svg.curve(points, ink);
  for (const auto& [x, y] : points) svg.circle(x, y, 2.5, ink);
}

}  // namespace

Svg draw_chart(const Chart& chart) {
  constexpr double row = 18;
  const std::vector<Series> all = drawable(chart);
  Plot plot{76, 44, 596, 324, {}, {}};
  std::vector<std::string> names;
  for (const Series& series : all) {
    names.push_back(series.name);
    for (const auto& [x, y] : series.points) plot.x.add(x), plot.y.add(y);
  }
  plot.x = plot.x.widened(0);
  plot.y = plot.y.widened(0.02);
  const double legend = plot.right + 16;
  Svg svg = titled(legend + 32 + widest(names, 12) + 16,
                   std::max(plot.bottom + 52, plot.top + row * static_cast<double>(all.size()) + 16), chart.title);
  draw_y_axis(svg, plot, chart.y_label, chart.logarithmic ? Scale::logarithmic : Scale::linear);
  draw_x_axis(svg, plot, chart.x_label, /*lines=*/false);
  for (size_t i = 0; i < all.size(); ++i) {
    draw_curve(svg, plot, all[i], series_ink(i));
    const double y = plot.top + row * static_cast<double>(i) + 8;
    svg.curve({{legend, y}, {legend + 24, y}}, series_ink(i));
    svg.text(legend + 32, y + 4, all[i].name);
  }
  return svg;
}

Svg draw_heat_map(const HeatMap& map) {
  constexpr double left = 64, top = 56;
  const double size = std::clamp(480.0 / static_cast<double>(std::max<size_t>(1, map.rows.size())), 3.0, 24.0);
  size_t columns = 0;
  for (const auto& row : map.rows) columns = std::max(columns, row.size());
  const double width = size * static_cast<double>(columns), height = size * static_cast<double>(map.rows.size());
  Svg svg = titled(left + width + 32, top + height + 52, map.title);
  for (size_t r = 0; r < map.rows.size(); ++r) {
    for (size_t c = 0; c < map.rows[r].size(); ++c) {
      const double value = map.rows[r][c];
      if (!std::isfinite(value)) continue;
      svg.rectangle(left + size * static_cast<double>(c), top + size * static_cast<double>(r), size, size,
                    value < 0 ? kBad : kGood, std::min(1.0, std::abs(value)));
    }
  }
  const auto middle_of = [&](size_t i) { return size * (static_cast<double>(i) + 0.5); };
  const size_t every = std::max<size_t>(1, map.rows.size() / 8);
  for (size_t r = 0; r < map.rows.size(); r += every)
    svg.text(left - 6, top + middle_of(r) + 4, fmt::format("{}", r), kSmallEnd);
  for (size_t c = 0; c < columns; c += every)
    svg.text(left + middle_of(c), top + height + 16, fmt::format("{}", c), kSmallMiddle);
  svg.text(16, 46, map.y_label, kSmall);
  svg.text(left + width / 2, top + height + 36, map.x_label, kSmallMiddle);
  return svg;
}

Svg draw_outcomes(const OutcomeMap& map) {
  constexpr double cell_width = 96, cell_height = 34, gap = 3, head = 42, foot = 30;
  const double left = std::max(24 + text_width(map.row_label), 32 + widest(map.row_names, 12));
  const auto column = [&](size_t c) { return left + (cell_width + gap) * static_cast<double>(c); };
  double height = 48;
  for (const auto& block : map.blocks)
    height += head + (cell_height + gap) * static_cast<double>(block.rows.size()) + foot;
  Svg svg = titled(column(map.column_names.size()) + 16, height, map.title);
  double y = 48;
  for (const OutcomeMap::Block& block : map.blocks) {
    svg.text(16, y + 14, block.name, kTitle);
    svg.text(left, y + 14, map.column_label, kSmall);
    for (size_t c = 0; c < map.column_names.size(); ++c)
      svg.text(column(c) + cell_width / 2, y + 34, map.column_names[c], kSmallMiddle);
    y += head;
    for (size_t r = 0; r < block.rows.size(); ++r) {
      svg.text(left - 8, y + cell_height / 2 + 4, r < map.row_names.size() ? map.row_names[r] : "", kSmallEnd);
      for (size_t c = 0; c < block.rows[r].size(); ++c) {
        const OutcomeMap::Field& field = block.rows[r][c];
        const bool known = std::isfinite(field.share);
        const double distance = known ? 2 * field.share - 1 : 0;
        svg.rectangle(column(c), y, cell_width, cell_height, known ? (distance < 0 ? kBad : kGood) : kRule,
                      0.15 + 0.45 * std::abs(distance), field.hint);
        svg.text(column(c) + cell_width / 2, y + cell_height / 2 + 4, field.text, kMiddle);
      }
      y += cell_height + gap;
    }
    svg.text(16, y + 14, map.row_label, kSmall);
    y += foot;
  }
  return svg;
}

}  // namespace attnlab::page
