// What each factor does, and every two together.

#include <fmt/format.h>

#include "experiments/page/markup.h"
#include "experiments/results/layout.h"
#include "experiments/results/report/fields.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {
namespace {

using page::xml_text;

std::string main_effects_table(const Content& content) {
  const auto& metric = content.summary.results.metric;
  const auto& grid = content.grid;
  HtmlTable table;
  table.heads = {"factor",          "level", "mean",   "cells", "runs", "difference to reference",
                 "95 % t interval", "seeds", "matched"};
  table.numbers = {false, false, true, true, true, true, true, true, true};
  for (const auto& effect : content.effects.main) {
    const auto& factor = grid.factors[effect.factor];
    for (size_t level = 0; level < factor.levels.size(); ++level) {
      const auto& about = effect.levels[level];
      std::vector<Field> row = {
          text_field(factor.name), text_field(factor.levels[level]),
          about.mean ? number_field(format_metric(metric, *about.mean), *about.mean) : empty_field(),
          count_field(about.cells), count_field(about.runs)};
      if (const auto& contrast = about.from_reference) {
        const auto& difference = contrast->difference;
        row.push_back(number_field(signed_text(metric, difference.mean), difference.mean));
        row.push_back(interval_field(metric, difference.low, difference.high));
        row.push_back(count_field(static_cast<size_t>(difference.n)));
        row.push_back(number_field(fmt::format("{} of {}", contrast->combinations, contrast->all_combinations),
                                   static_cast<double>(contrast->combinations)));
      } else {
        row.push_back(
            {level == factor.reference ? "reference" : "no match", true, level == factor.reference ? "0" : "", "soft"});
        row.insert(row.end(), 3, empty_field());
      }
      table.rows.push_back(std::move(row));
      table.row_classes.push_back(level == factor.reference ? "baseline" : "");
    }
  }
  return table.html();
}

std::string interaction_tables(const Content& content, const Interaction& interaction) {
  const auto& metric = content.summary.results.metric;
  const auto& rows = content.grid.factors[interaction.first];
  const auto& columns = content.grid.factors[interaction.second];
  HtmlTable means, contrasts;
  means.caption = "Means of " + metric_label(metric);
  contrasts.caption =
      fmt::format("Interaction contrasts: how the difference to {} {} changes from {} {} to each column", rows.name,
                  rows.levels[rows.reference], columns.name, columns.levels[columns.reference]);
  means.heads = contrasts.heads = {rows.name + " \\ " + columns.name};
  means.numbers = contrasts.numbers = {false};
  for (size_t b = 0; b < columns.levels.size(); ++b) {
    means.heads.push_back(columns.levels[b]);
    means.numbers.push_back(true);
    if (b == columns.reference) continue;
    contrasts.heads.push_back(columns.levels[b]);
    contrasts.numbers.push_back(true);
  }
  for (size_t a = 0; a < rows.levels.size(); ++a) {
    std::vector<Field> line = {text_field(rows.levels[a])}, changes = line;
    for (size_t b = 0; b < columns.levels.size(); ++b) {
      const auto& mean = interaction.means[a][b];
      line.push_back(mean ? number_field(format_metric(metric, *mean), *mean) : empty_field());
      if (b == columns.reference) continue;
      const auto& contrast = interaction.contrasts[a][b];
      if (!contrast) {
        changes.push_back(empty_field());
        continue;
      }
      const auto& difference = contrast->difference;
      std::string text = signed_text(metric, difference.mean);
      if (difference.low) text += " " + interval_text(metric, *difference.low, *difference.high);
      text += fmt::format(" (n = {}, {} of {})", difference.n, contrast->combinations, contrast->all_combinations);
      changes.push_back(number_field(text, difference.mean));
    }
    means.rows.push_back(std::move(line));
    if (a != rows.reference) contrasts.rows.push_back(std::move(changes));
  }
  return means.html() + contrasts.html();
}

std::string interactions_html(const Content& content) {
  const auto& interactions = content.effects.interactions;
  if (interactions.empty()) return "";
  std::string pictures, tables;
  for (size_t i = 0; i < interactions.size(); ++i) {
    const auto& grid = content.grid;
    if (content.interaction_figures[i]) pictures += figure(*content.interaction_figures[i], "");
    tables += folded(grid.factors[interactions[i].first].name + " × " + grid.factors[interactions[i].second].name,
                     interaction_tables(content, interactions[i]));
  }
  return "<h3>Two factors together</h3>\n" +
         paragraph(
             "Means over all cells with both levels. Where lines are not parallel, one factor changes what the "
             "other does; the contrast in the tables says by how much, with the number of seeds n and of matched "
             "combinations of the other factors.",
             "soft") +
         "<div class=\"figures\">\n" + pictures + "</div>\n" + tables;
}

}  // namespace

std::string factors_section(const Content& content) {
  if (content.grid.factors.empty()) return "";
  std::string html;
  if (!content.effects.imbalance.empty()) html += paragraph(xml_text(content.effects.imbalance), "warning");
  html += paragraph(
      "What a factor does on average: for each combination of the other factors the level minus its reference (the "
      "baseline's level, else the first), averaged over the combinations, then over seeds. The t interval is over "
      "seeds; with one seed there is none. Intervals here are not corrected for their number.",
      "soft");
  if (content.effects_figure) html += figure(*content.effects_figure, "");
  html += main_effects_table(content) + interactions_html(content);
  return section("factors", "Factors", html);
}

}  // namespace attnlab::results::report
