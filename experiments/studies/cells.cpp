#include "experiments/studies/cells.h"

#include <algorithm>

#include <fmt/format.h>

#include "experiments/results/cell_text.h"
#include "experiments/spec/plan.h"
#include "experiments/spec/short_names.h"
#include "support/number_text.h"

namespace attnlab::studies {

namespace {

using results::Comparison;

/// "+1.2 [0.41, 1.99] p=0.01**", "baseline", or "-".
std::string delta_text(const Comparison& comparison) {
  if (comparison.kind == Comparison::Kind::baseline) return "baseline";
  if (comparison.kind == Comparison::Kind::none) return "-";
  const results::PairedDifference& difference = comparison.difference;
  std::string text = fmt::format("{:+.4g}", difference.mean);
  if (difference.low) text += fmt::format(" [{:.4g}, {:.4g}]", *difference.low, *difference.high);
  if (comparison.p_holm) text += fmt::format(" p={:.3g}", *comparison.p_holm);
  return text + results::stars(comparison);
}

std::vector<std::string> legend_of(const results::SweepSummary& summary) {
  const std::string baseline = results::baseline_text(summary.results.baseline);
  std::vector<std::string> legend = {
      fmt::format("{}: mean ± standard deviation over seeds (n), of the runs that ended.",
                  results::metric_label(summary.results.metric))};
  if (!baseline.empty())
    legend.push_back(
        fmt::format("Δ: mean difference to the cell that is equal in all else with {}, over the seeds that "
                    "both have; in brackets the 95 % t interval, paired by seed; p: two-sided, after "
                    "Holm's correction over all Δ; * < 0.05, ** < 0.01, *** < 0.001, from {} seeds on.",
                    baseline, results::kFewestPairs));
  return legend;
}

Json to_json(const Comparison& comparison) {
  if (comparison.kind == Comparison::Kind::baseline) return "baseline";
  if (comparison.kind == Comparison::Kind::none) return nullptr;
  return {{"mean", comparison.difference.mean},
          {"n", comparison.difference.n},
          {"low", finite_or_null(comparison.difference.low)},
          {"high", finite_or_null(comparison.difference.high)},
          {"p", finite_or_null(comparison.difference.p)},
          {"p_holm", finite_or_null(comparison.p_holm)}};
}

}  // namespace

std::filesystem::path run_folder(const std::filesystem::path& out, const results::CellRun& run) {
  return out / "runs" / run.folder;
}

std::string cell_name(const results::Cell& cell) {
  std::string name;
  for (const auto& [key, value] : cell.factors.items()) name += (name.empty() ? "" : ", ") + spec::factor_text(value);
  return name;
}

std::string short_mean(const std::string& metric, const results::CellSummary& cell) {
  const auto found = cell.metrics.find(metric);
  if (found == cell.metrics.end()) return "-";
  return found->second.mean >= 1 && found->second.mean < 1e4 ? fmt::format("{:.2f}", found->second.mean)
                                                             : fmt::format("{:.3g}", found->second.mean);
}

results::TableLayout main_columns(const results::SweepSummary& summary, const std::string& title) {
  results::TableLayout layout;
  layout.title = title;
  const std::vector<std::string>& factors = summary.results.factors;
  for (const std::string& name : spec::short_names(factors)) layout.columns.push_back({name, results::Align::left});
  layout.columns.push_back({results::metric_label(summary.results.metric) + " (n)", results::Align::right});
  layout.columns.push_back({"Δ [95 % CI], p", results::Align::right});
  for (size_t i = 0; i < summary.cells.size(); ++i) {
    results::TableRow row;
    for (const std::string& factor : factors)
      row.texts.push_back(spec::factor_text(summary.results.cells[i].factors.value(factor, Json())));
    row.numbers.resize(factors.size());
    row.add(results::main_text(summary.results.metric, summary.cells[i]),
            results::mean_of(summary.results.metric, summary.cells[i]));
    row.add(delta_text(summary.cells[i].comparison), results::delta_of(summary.cells[i].comparison));
    layout.rows.push_back(std::move(row));
  }
  layout.legend = legend_of(summary);
  return layout;
}

Json main_document(const results::SweepSummary& summary) {
  Json document = {{"name", summary.results.name},
                   {"metric", summary.results.metric},
                   {"baseline", summary.results.baseline},
                   {"cells", Json::array()}};
  for (size_t i = 0; i < summary.cells.size(); ++i) {
    Json metrics = Json::object();
    for (const auto& [name, numbers] : summary.cells[i].metrics) {
      Json by_seed = Json::object();
      for (const auto& [seed, value] : numbers.by_seed) by_seed[fmt::format("{}", seed)] = json_number(value);
      metrics[name] = {{"mean", json_number(numbers.mean)}, {"sd", finite_or_null(numbers.sd)}, {"by_seed", by_seed}};
    }
    document["cells"].push_back({{"factors", summary.results.cells[i].factors},
                                 {"difference", to_json(summary.cells[i].comparison)},
                                 {"remarks", summary.cells[i].remarks},
                                 {"metrics", metrics}});
  }
  return document;
}

}  // namespace attnlab::studies
