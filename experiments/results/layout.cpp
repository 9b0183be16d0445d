#include "experiments/results/layout.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "experiments/results/cell_text.h"
#include "experiments/spec/metrics.h"
#include "experiments/spec/plan.h"
#include "experiments/spec/short_names.h"
#include "support/number_text.h"

namespace attnlab::results {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string with_commas(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  const int first = digits[0] == '-' ? 1 : 0;
  for (int i = static_cast<int>(digits.size()) - 3; i > first; i -= 3) digits.insert(static_cast<size_t>(i), ",");
  return digits;
}

std::string signed_metric(const std::string& metric, double value) {
  return (value < 0 ? "" : "+") + format_metric(metric, value);
}

/// "+1.20 [0.41, 1.99]**", "baseline", or "-".
std::string delta_text(const std::string& metric, const Comparison& comparison) {
  if (comparison.kind == Comparison::Kind::baseline) return "baseline";
  if (comparison.kind == Comparison::Kind::none) return "-";
  const auto& difference = comparison.difference;
  std::string text = signed_metric(metric, difference.mean);
  if (difference.low)
    text += fmt::format(" [{}, {}]", format_metric(metric, *difference.low), format_metric(metric, *difference.high));
  return text + stars(comparison);
}

std::string mean_text(const std::string& metric, const CellSummary& cell) {
  const auto found = cell.metrics.find(metric);
  return found == cell.metrics.end() ? "-" : format_metric(metric, found->second.mean);
}

std::string remarks_text(const CellSummary& cell) {
  std::string text;
  for (const auto& remark : cell.remarks) text += (text.empty() ? "" : "; ") + remark;
  return text;
}

template <typename Test>
bool any_cell(const SweepSummary& summary, const Test& test) {
  return std::any_of(summary.cells.begin(), summary.cells.end(), test);
}

/// "24.9 (Δ -0.9)", "25.8" for the baseline, or "-".
std::string published_text(const PublishedMetric& published, size_t index) {
  for (const auto& cell : published.cells) {
    if (cell.cell != index) continue;
    std::string text = published.text(cell.published);
    if (cell.published_delta)
      text += fmt::format(" (Δ {}{})", *cell.published_delta < 0 ? "" : "+", published.text(*cell.published_delta));
    return text;
  }
  return "-";
}

std::optional<double> published_value(const Cell& cell, const std::string& metric) {
  const auto found = cell.published.find(metric);
  return found == cell.published.end() ? std::nullopt : std::optional(found->second);
}

/// The published numbers of the main metric; null if there are none.
const PublishedMetric* main_published(const SweepSummary& summary) {
  const auto& all = summary.published;
  return all.empty() || all.front().metric != summary.results.metric ? nullptr : &all.front();
}

/// The other metrics of the table; a column appears if some cell has a value. What else the runs recorded is in
/// results.csv and results.json.
std::vector<std::string> other_metrics(const SweepSummary& summary) {
  std::vector<std::string> metrics;
  for (const spec::MetricVariant& metric : spec::metric_variants())
    if (metric.is_column && metric.name != summary.results.metric &&
        any_cell(summary, [&](const CellSummary& cell) { return cell.metrics.count(metric.name) > 0; }))
      metrics.push_back(metric.name);
  return metrics;
}

std::string joined(const std::set<std::string>& texts) {
  std::string result;
  for (const auto& text : texts) result += (result.empty() ? "" : "; ") + text;
  return result;
}

bool has_interval(const SweepSummary& summary) {
  return any_cell(summary, [](const CellSummary& cell) { return cell.comparison.difference.low.has_value(); });
}

std::string delta_legend(const SweepResults& results, bool interval) {
  const auto partner = fmt::format("the cell that is equal in all else with {}", baseline_text(results.baseline));
  if (!interval)
    return fmt::format("Δ: difference to {}, with the same seed; one seed cannot tell an effect from chance.", partner);
  return fmt::format(
      "Δ: mean difference to {}, over the same seeds; in square brackets its 95 % t interval, paired by seed. "
      "* p < 0.05, ** p < 0.01, *** p < 0.001 after Holm's correction over all Δ of the table; "
      "below {} seeds nothing is called significant.",
      partner, kFewestPairs);
}

/// "best head AER %: alignment error rate of ..." for each column whose label does not say it all.
std::vector<std::string> explanations_of(const std::vector<std::string>& metrics) {
  std::vector<std::string> sentences;
  for (const auto& name : metrics) {
    const spec::MetricVariant* metric = spec::find_metric(name);
    if (metric->is_explained) sentences.push_back(fmt::format("{}: {}.", metric->label, metric->description));
  }
  return sentences;
}

std::vector<std::string> legend_of(const SweepSummary& summary, bool has_delta,
                                   const std::vector<std::string>& others) {
  const auto& results = summary.results;
  const bool has_spread = any_cell(summary, [&](const CellSummary& cell) {
    const auto found = cell.metrics.find(results.metric);
    return found != cell.metrics.end() && found->second.sd;
  });
  std::vector<std::string> legend;
  legend.push_back(
      fmt::format("{}: {}mean over seeds{}, in brackets n, the number of seeds{}.", metric_label(results.metric),
                  results.goal == sweep::Goal::minimize ? "lower is better; " : "",
                  has_spread ? " ± standard deviation" : "", has_spread ? "" : " (one seed has no spread)"));
  if (has_delta) legend.push_back(delta_legend(results, has_interval(summary)));
  if (!others.empty())
    legend.push_back(
        "Other columns: means over the same runs; times and tokens/s include whatever else the machine was doing.");
  for (auto& sentence : explanations_of(others)) legend.push_back(std::move(sentence));
  if (any_cell(summary, [](const CellSummary& cell) { return cell.best; })) legend.push_back("Bold: the best mean.");
  return legend;
}

std::vector<std::string> conventions_of(const SweepSummary& summary) {
  std::vector<std::string> conventions;
  for (const auto& [metric, signatures] : summary.signatures)
    conventions.push_back(fmt::format("{}: sacreBLEU signature {}", metric_label(metric), joined(signatures)));
  for (const auto& [name, notes] : summary.notes) {
    std::string label = name;
    std::replace(label.begin(), label.end(), '_', ' ');
    conventions.push_back(fmt::format("{}: {}", label, joined(notes)));
  }
  return conventions;
}

}  // namespace

std::string metric_label(const std::string& metric) {
  const spec::MetricVariant* known = spec::find_metric(metric);
  return known == nullptr ? metric : known->label;
}

std::string format_metric(const std::string& metric, double value) {
  if (const spec::MetricVariant* known = spec::find_metric(metric))
    return known->is_count ? with_commas(value) : number_text(value, known->decimals);
  if (ends_with(metric, "tokens_per_second") || ends_with(metric, "tokens") || ends_with(metric, ".steps"))
    return with_commas(value);
  return number_text(value, ends_with(metric, "perplexity") ? 3 : ends_with(metric, "loss") ? 4 : 2);
}

TableLayout lay_out(const SweepSummary& summary) {
  const auto& results = summary.results;
  const auto others = other_metrics(summary);
  const bool has_delta =
      any_cell(summary, [](const CellSummary& cell) { return cell.comparison.kind != Comparison::Kind::none; });
  const auto* published = main_published(summary);
  const bool has_remarks = any_cell(summary, [](const CellSummary& cell) { return !cell.remarks.empty(); });
  TableLayout layout;
  layout.title = results.name;
  auto factor_names = spec::short_names(results.factors);
  for (size_t i = 0; i < factor_names.size(); ++i) {
    const bool numbers = std::all_of(results.cells.begin(), results.cells.end(), [&](const Cell& cell) {
      return !cell.factors.contains(results.factors[i]) || cell.factors[results.factors[i]].is_number();
    });
    layout.columns.push_back({factor_names[i], numbers ? Align::right : Align::left});
  }
  const int main_column = static_cast<int>(layout.columns.size());
  layout.columns.push_back({metric_label(results.metric) + " (n)", Align::right});
  if (has_delta) layout.columns.push_back({has_interval(summary) ? "Δ [95 % CI]" : "Δ", Align::right});
  if (published) layout.columns.push_back({"published", Align::right});
  for (const auto& metric : others) layout.columns.push_back({metric_label(metric), Align::right});
  if (has_remarks) layout.columns.push_back({"remarks", Align::left});

  for (size_t i = 0; i < summary.cells.size(); ++i) {
    const auto& cell = summary.cells[i];
    TableRow row;
    for (const auto& factor : results.factors) {
      const Json value = results.cells[i].factors.value(factor, Json());
      row.add(spec::factor_text(value), value.is_number() ? std::optional(value.get<double>()) : std::nullopt);
    }
    row.add(main_text(results.metric, cell), mean_of(results.metric, cell));
    if (has_delta) row.add(delta_text(results.metric, cell.comparison), delta_of(cell.comparison));
    if (published) row.add(published_text(*published, i), published_value(results.cells[i], results.metric));
    for (const auto& metric : others) row.add(mean_text(metric, cell), mean_of(metric, cell));
    if (has_remarks) row.add(remarks_text(cell), std::nullopt);
    if (cell.best) row.bold = main_column;
    layout.rows.push_back(std::move(row));
  }
  layout.legend = legend_of(summary, has_delta, others);
  for (const auto& metric : summary.published)
    layout.legend.push_back(fmt::format("Published {}: {}; {}.", metric_label(metric.metric), results.published_source,
                                        agreement_text(metric)));
  layout.conventions = conventions_of(summary);
  return layout;
}

void TableRow::add(const std::string& text, std::optional<double> number) {
  texts.push_back(text);
  numbers.push_back(number);
}

std::optional<double> delta_of(const Comparison& comparison) {
  if (comparison.kind == Comparison::Kind::none) return std::nullopt;
  return comparison.kind == Comparison::Kind::baseline ? 0 : comparison.difference.mean;
}

}  // namespace attnlab::results
