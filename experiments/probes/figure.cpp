#include "experiments/probes/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "experiments/page/markup.h"

namespace attnlab::probes {

namespace {

using page::xml_text;

constexpr const char* kBlue = "#0072b2";
constexpr const char* kOrange = "#d55e00";
constexpr std::array<const char*, 7> kColours = {kBlue, kOrange, "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c959f"};
constexpr std::array<const char*, 4> kDashes = {"", "6 3", "2 3", "8 3 2 3"};

double text_width(const std::string& text) {
  return 7.2 * static_cast<double>(text.size());
}

/// An SVG document that grows by shapes.
class Drawing {
 public:
  void text(double x, double y, const std::string& content, const std::string& classes, const std::string& more = "") {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\"{}>{}</text>\n", x, y, classes, more,
                         xml_text(content));
  }
  void rule(double x1, double y1, double x2, double y2) {
    body_ +=
        fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"rule\"/>\n", x1, y1, x2, y2);
  }
  void box(double x, double y, double width, double height, const std::string& fill, double opacity,
           const std::string& hint = "") {
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" fill-opacity=\"{:.3f}\">{}"
        "</rect>\n",
        x, y, width, height, fill, opacity, hint.empty() ? "" : "<title>" + xml_text(hint) + "</title>");
  }
  void curve(const std::vector<std::pair<double, double>>& points, size_t style) {
    const char* colour = kColours[style % kColours.size()];
    std::string list;
    for (const auto& [x, y] : points) {
      list += fmt::format("{:.1f},{:.1f} ", x, y);
      body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x, y, colour);
    }
    const std::string dash = kDashes[style % kDashes.size()];
    body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", list, colour,
                         dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
  }
  /// The title, which is bold and larger, always fits.
  std::string finish(double least_width, double height, const std::string& title) const {
    const double width = std::max(least_width, 8.8 * static_cast<double>(title.size()) + 32);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" role=\"img\">\n<title>{2}</title>\n"
        "<style>text{{font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:#1f2328}}"
        ".title{{font-size:14px;font-weight:600}}.soft{{fill:#59636e}}.end{{text-anchor:end}}"
        ".middle{{text-anchor:middle}}.rule{{stroke:#8c959f;stroke-opacity:.45}}"
        "@media (prefers-color-scheme:dark){{text{{fill:#e6edf3}}.soft{{fill:#9198a1}}}}</style>\n{3}</svg>\n",
        width, height, xml_text(title), body_);
  }

 private:
  std::string body_;
};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// An axis has a width, also for no or for equal values.
  void widen() {
    if (!(low <= high)) low = 0, high = 1;
    if (high - low <= 1e-12 * std::max(1.0, std::abs(high))) low -= 0.5, high += 0.5;
  }
  double share(double value) const { return (value - low) / (high - low); }
};

/// Round steps that cut a range into about five parts.
double tick_step(const Range& range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
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

std::string tick_text(double value, bool logarithmic) {
  return logarithmic ? fmt::format("{:.2g}", std::pow(10, value)) : fmt::format("{:.6g}", value + 0.0);
}

}  // namespace

std::string draw_chart(const Chart& chart) {
  constexpr double left = 76, top = 48, plot_width = 520, plot_height = 280, bottom = 56;
  const std::vector<Series> all = drawable(chart);
  Range x_range, y_range;
  double legend = 0;
  for (const Series& series : all) {
    legend = std::max(legend, text_width(series.name) + 44);
    for (const auto& [x, y] : series.points) x_range.include(x), y_range.include(y);
  }
  x_range.widen();
  y_range.widen();
  const auto x_of = [&](double x) { return left + plot_width * x_range.share(x); };
  const auto y_of = [&](double y) { return top + plot_height * (1 - y_range.share(y)); };

  Drawing drawing;
  drawing.text(16, 26, chart.title, "title");
  const double y_step = tick_step(y_range), x_step = tick_step(x_range);
  for (double y = std::ceil(y_range.low / y_step) * y_step; y <= y_range.high + 1e-9; y += y_step) {
    drawing.rule(left, y_of(y), left + plot_width, y_of(y));
    drawing.text(left - 8, y_of(y) + 4, tick_text(y, chart.logarithmic), "soft end");
  }
  for (double x = std::ceil(x_range.low / x_step) * x_step; x <= x_range.high + 1e-9; x += x_step)
    drawing.text(x_of(x), top + plot_height + 18, tick_text(x, false), "soft middle");
  drawing.rule(left, top + plot_height, left + plot_width, top + plot_height);
  drawing.text(left + plot_width / 2, top + plot_height + 40, chart.x_label, "middle");
  drawing.text(16, 42, chart.y_label, "soft");
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<std::pair<double, double>> points;
    for (const auto& [x, y] : all[i].points) points.emplace_back(x_of(x), y_of(y));
    drawing.curve(points, i);
    const double y = top + 18 * static_cast<double>(i) + 8, x = left + plot_width + 16;
    drawing.curve({{x, y}, {x + 24, y}}, i);
    drawing.text(x + 32, y + 4, all[i].name, "");
  }
  const double height = std::max(top + plot_height + bottom, top + 18 * static_cast<double>(all.size()) + 16);
  return drawing.finish(std::max(left + plot_width + legend + 16, text_width(chart.title) + 48), height, chart.title);
}

std::string draw_heat_map(const HeatMap& map) {
  constexpr double left = 64, top = 56;
  const double size = std::clamp(480.0 / static_cast<double>(std::max<size_t>(1, map.rows.size())), 3.0, 24.0);
  Drawing drawing;
  drawing.text(16, 26, map.title, "title");
  size_t columns = 0;
  for (size_t r = 0; r < map.rows.size(); ++r) {
    columns = std::max(columns, map.rows[r].size());
    for (size_t c = 0; c < map.rows[r].size(); ++c) {
      const double value = map.rows[r][c];
      if (!std::isfinite(value)) continue;
      drawing.box(left + size * static_cast<double>(c), top + size * static_cast<double>(r), size, size,
                  value < 0 ? kOrange : kBlue, std::min(1.0, std::abs(value)));
    }
  }
  const double width = size * static_cast<double>(columns), height = size * static_cast<double>(map.rows.size());
  const size_t every = std::max<size_t>(1, map.rows.size() / 8);
  for (size_t r = 0; r < map.rows.size(); r += every)
    drawing.text(left - 6, top + size * (static_cast<double>(r) + 0.5) + 4, fmt::format("{}", r), "soft end");
  for (size_t c = 0; c < columns; c += every)
    drawing.text(left + size * (static_cast<double>(c) + 0.5), top + height + 16, fmt::format("{}", c), "soft middle");
  drawing.text(16, 46, map.y_label, "soft");
  drawing.text(left + width / 2, top + height + 36, map.x_label, "middle");
  return drawing.finish(std::max(left + width, text_width(map.title)) + 32, top + height + 52, map.title);
}

std::string draw_outcomes(const OutcomeMap& map) {
  constexpr double cell_width = 96, cell_height = 34, gap = 3;
  double left = text_width(map.row_label) + 24;
  for (const std::string& name : map.row_names) left = std::max(left, text_width(name) + 32);
  Drawing drawing;
  drawing.text(16, 26, map.title, "title");
  double y = 48, width = text_width(map.title) + 32;
  for (const OutcomeMap::Block& block : map.blocks) {
    drawing.text(16, y + 14, block.name, "title");
    drawing.text(left, y + 14, map.column_label, "soft");
    y += 34;
    for (size_t c = 0; c < map.column_names.size(); ++c)
      drawing.text(left + (cell_width + gap) * static_cast<double>(c) + cell_width / 2, y, map.column_names[c],
                   "soft middle");
    y += 8;
    for (size_t r = 0; r < block.rows.size(); ++r) {
      drawing.text(left - 8, y + cell_height / 2 + 4, r < map.row_names.size() ? map.row_names[r] : "", "soft end");
      for (size_t c = 0; c < block.rows[r].size(); ++c) {
        const Outcome& outcome = block.rows[r][c];
        const double x = left + (cell_width + gap) * static_cast<double>(c);
        const double distance = 2 * outcome.share - 1;
        drawing.box(x, y, cell_width, cell_height, distance < 0 ? kOrange : kBlue, 0.15 + 0.45 * std::abs(distance),
                    outcome.hint);
        drawing.text(x + cell_width / 2, y + cell_height / 2 + 4, outcome.text, "middle");
      }
      y += cell_height + gap;
    }
    drawing.text(16, y + 14, map.row_label, "soft");
    y += 30;
    width = std::max(width, left + (cell_width + gap) * static_cast<double>(map.column_names.size()) + 16);
  }
  return drawing.finish(width, y, map.title);
}

}  // namespace attnlab::probes
