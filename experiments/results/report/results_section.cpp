// The table, and the differences to the baseline in full.

#include <fmt/format.h>

#include "experiments/results/layout.h"
#include "experiments/results/report/fields.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {
namespace {

std::string main_table(const Content& content) {
  const auto layout = lay_out(content.summary);
  HtmlTable table = table_of(layout);
  for (const auto& cell : content.summary.cells)
    table.row_classes.push_back(cell.comparison.kind == Comparison::Kind::baseline ? "baseline" : "");
  return table.html() + list(layout.legend, "legend");
}

std::string differences_table(const Content& content) {
  const auto& summary = content.summary;
  const auto& metric = summary.results.metric;
  HtmlTable table;
  table.heads = {cells_head(content.grid),
                 "compared with",
                 "seeds",
                 "Δ " + metric_label(metric),
                 "95 % t interval",
                 "p",
                 "p (Holm)",
                 "95 % bootstrap interval"};
  table.numbers = {false, false, true, true, true, true, true, true};
  for (size_t i = 0; i < summary.cells.size(); ++i) {
    const auto& comparison = summary.cells[i].comparison;
    if (comparison.kind != Comparison::Kind::delta) continue;
    const auto& difference = comparison.difference;
    const auto& bootstrap = comparison.bootstrap;
    table.rows.push_back(
        {cell_field(content, i), cell_field(content, comparison.partner),
         count_field(static_cast<size_t>(difference.n)),
         number_field(signed_text(metric, difference.mean) + stars(comparison), difference.mean),
         interval_field(metric, difference.low, difference.high), p_field(difference.p), p_field(comparison.p_holm),
         bootstrap ? number_field(interval_text(metric, bootstrap->low, bootstrap->high), bootstrap->low)
                   : empty_field()});
  }
  if (table.rows.empty()) return "";
  return folded(
      "All differences to the baseline in full",
      table.html() + paragraph(fmt::format("Bootstrap: percentile interval over {} resamples of the paired differences "
                                           "(PCG64, seed {}), from {} seeds on. Fewer than {} seeds are never called "
                                           "significant.",
                                           kResamples, kResamplingSeed, kFewestToResample, kFewestPairs),
                               "soft"));
}

}  // namespace

std::string results_section(const Content& content) {
  std::string html = main_table(content) + differences_table(content);
  if (content.cells_figure)
    html +=
        figure(*content.cells_figure,
               "Every cell, best first. Large dot: the mean; small dots and line: its seeds. Orange: the baseline.");
  return section("results", "Results", html);
}

}  // namespace attnlab::results::report
