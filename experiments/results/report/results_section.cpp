// The table, and the differences to the baseline in full.

#include <fmt/format.h>

#include "experiments/page/markup.h"
#include "experiments/results/layout.h"
#include "experiments/results/report/fields.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {
namespace {

using page::xml_text;

std::string main_table(const Content& content) {
  const auto layout = lay_out(content.summary);
  Table table;
  for (const auto& column : layout.columns) {
    table.heads.push_back(column.header);
    table.numbers.push_back(column.align == Align::right);
  }
  for (size_t r = 0; r < layout.rows.size(); ++r) {
    const auto& row = layout.rows[r];
    auto& fields = table.rows.emplace_back();
    for (size_t i = 0; i < row.texts.size(); ++i) {
      const bool number = table.numbers[i];
      std::string html = number ? xml_text(with_minus(row.texts[i])) : isolated(row.texts[i]);
      if (static_cast<int>(i) == row.bold) html = "<b>" + html + "</b>";
      fields.push_back({html, number, row.numbers[i] ? fmt::format("{}", *row.numbers[i]) : "",
                        layout.columns[i].header == "remarks" ? "remarks" : ""});
    }
    table.row_classes.push_back(content.summary.cells[r].comparison.kind == Comparison::Kind::baseline ? "baseline"
                                                                                                       : "");
  }
  std::string legend;
  for (const auto& sentence : layout.legend) legend += "<li>" + isolated(with_minus(sentence)) + "</li>\n";
  return table.html() + "<ul class=\"legend\">\n" + legend + "</ul>\n";
}

std::string differences_table(const Content& content) {
  const auto& summary = content.summary;
  const auto& metric = summary.results.metric;
  Table table;
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
