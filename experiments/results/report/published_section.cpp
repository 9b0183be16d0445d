// What a paper printed, beside our results.

#include <fmt/format.h>

#include "experiments/page/markup.h"
#include "experiments/results/layout.h"
#include "experiments/results/report/fields.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {
namespace {

using page::xml_text;

Field difference_field(const PublishedMetric& published, const std::optional<double>& value) {
  return value ? number_field(with_minus((*value < 0 ? "" : "+") + published.text(*value)), *value) : empty_field();
}

std::vector<Field> row_of(const Content& content, const PublishedMetric& published, const PublishedCell& cell) {
  const auto& metric = published.metric;
  const auto& metrics = content.summary.cells[cell.cell].metrics;
  const auto ours = metrics.find(metric);
  const bool delta = cell.ours.kind == Comparison::Kind::delta;
  const auto& difference = cell.ours.difference;
  return {
      cell_field(content, cell.cell),
      number_field(published.text(cell.published), cell.published),
      ours == metrics.end() ? empty_field() : number_field(format_metric(metric, ours->second.mean), ours->second.mean),
      difference_field(published, cell.published_delta),
      delta ? number_field(signed_text(metric, difference.mean), difference.mean) : empty_field(),
      interval_field(metric, difference.low, difference.high),
      text_field(cell.ours.kind == Comparison::Kind::baseline ? "baseline" : to_string(cell.direction))};
}

std::string metric_part(const Content& content, size_t index) {
  const auto& published = content.summary.published[index];
  const auto label = metric_label(published.metric);
  HtmlTable table;
  table.caption = label;
  table.heads = {cells_head(content.grid), "published", "here", "published Δ", "Δ here",
                 "95 % t interval",        "direction"};
  table.numbers = {false, true, true, true, true, true, false};
  for (const auto& cell : published.cells) table.rows.push_back(row_of(content, published, cell));
  std::string html = paragraph(fmt::format("<b>{}</b>: {}.", xml_text(label), xml_text(agreement_text(published))));
  if (const auto& svg = content.published_figures[index])
    html += figure(*svg, "Differences to the baseline: published (ring) and here (dot, with its interval).");
  return html + table.html();
}

}  // namespace

std::string published_section(const Content& content) {
  if (content.summary.published.empty()) return "";
  std::string html = paragraph(
      "Published numbers: " + isolated(content.summary.results.published_source) +
      ". Other data and other sizes make the values themselves incomparable; what can be compared is the direction of "
      "each difference to the baseline, and only where our interval excludes zero. These intervals are not corrected "
      "for their number.");
  for (size_t i = 0; i < content.summary.published.size(); ++i) html += metric_part(content, i);
  return section("published", "Beside the published numbers", html);
}

}  // namespace attnlab::results::report
