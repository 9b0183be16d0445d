// The table and the single runs as CSV (RFC 4180, but LF at line ends).

#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "experiments/results/table.h"
#include "experiments/spec/plan.h"
#include "support/files.h"

namespace attnlab::results {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string line_of(const std::vector<std::string>& fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + quoted(fields[i]);
  return line + "\n";
}

/// The shortest digits that read back to the same number.
std::string number(double value) {
  return fmt::format("{}", value);
}

std::string number(const std::optional<double>& value) {
  return value ? number(*value) : "";
}

/// Names of all columns: those before the factors, the factors, those after. A factor that is called as another column
/// is "factor.<name>"; the spec's `variants` are the factor "variant".
std::vector<std::string> header_of(const std::vector<std::string>& before, const std::vector<std::string>& factors,
                                   const std::vector<std::string>& after) {
  std::set<std::string> taken(before.begin(), before.end());
  taken.insert(after.begin(), after.end());
  std::vector<std::string> header = before;
  for (const std::string& factor : factors) header.push_back(taken.contains(factor) ? "factor." + factor : factor);
  header.insert(header.end(), after.begin(), after.end());
  return header;
}

void add_factors(const SweepResults& results, const Cell& cell, std::vector<std::string>& fields) {
  for (const auto& factor : results.factors) {
    const Json value = cell.factors.value(factor, Json());
    fields.push_back(value.is_null() ? "" : spec::factor_text(value));
  }
}

/// All metrics of the sweep but the main one.
std::set<std::string> other_metrics(const SweepSummary& summary) {
  std::set<std::string> names;
  for (const auto& cell : summary.cells)
    for (const auto& [name, values] : cell.metrics) names.insert(name);
  names.erase(summary.results.metric);
  return names;
}

void add_comparison(const Comparison& comparison, std::vector<std::string>& fields) {
  if (comparison.kind != Comparison::Kind::delta) {
    fields.insert(fields.end(), 8, "");
    return;
  }
  const auto& difference = comparison.difference;
  for (const auto& text :
       {number(difference.mean), number(difference.low), number(difference.high), std::to_string(difference.n),
        number(difference.p), number(comparison.p_holm), comparison.bootstrap ? number(comparison.bootstrap->low) : "",
        comparison.bootstrap ? number(comparison.bootstrap->high) : ""})
    fields.push_back(text);
}

std::string mean_of(const CellSummary& cell, const std::string& metric) {
  const auto found = cell.metrics.find(metric);
  return found == cell.metrics.end() ? "" : number(found->second.mean);
}

}  // namespace

std::string render_csv(const SweepSummary& summary) {
  const auto& results = summary.results;
  const auto others = other_metrics(summary);
  std::vector<std::string> columns;
  for (const std::string end : {"", ".sd", ".n", ".delta", ".delta_low", ".delta_high", ".delta_n", ".delta_p",
                                ".delta_p_holm", ".delta_bootstrap_low", ".delta_bootstrap_high"})
    columns.push_back(results.metric + end);
  columns.insert(columns.end(), others.begin(), others.end());
  columns.push_back("remarks");
  std::string text = line_of(header_of({"variant", "hash"}, results.factors, columns));
  for (size_t i = 0; i < summary.cells.size(); ++i) {
    const auto& cell = summary.cells[i];
    std::vector<std::string> fields = {results.cells[i].variant, results.cells[i].hash};
    add_factors(results, results.cells[i], fields);
    const auto found = cell.metrics.find(results.metric);
    const bool known = found != cell.metrics.end();
    fields.push_back(known ? number(found->second.mean) : "");
    fields.push_back(known ? number(found->second.sd) : "");
    fields.push_back(std::to_string(known ? found->second.by_seed.size() : 0));
    add_comparison(cell.comparison, fields);
    for (const auto& metric : others) fields.push_back(mean_of(cell, metric));
    std::string remarks;
    for (const auto& remark : cell.remarks) remarks += (remarks.empty() ? "" : "; ") + remark;
    fields.push_back(remarks);
    text += line_of(fields);
  }
  return text;
}

std::string render_tidy_csv(const SweepSummary& summary) {
  const auto& results = summary.results;
  std::string text = line_of(header_of({"variant", "hash"}, results.factors, {"seed", "status", "metric", "value"}));
  for (const auto& cell : results.cells) {
    std::vector<std::string> start = {cell.variant, cell.hash};
    add_factors(results, cell, start);
    for (const auto& run : cell.runs) {
      auto metrics = run_metrics(run.record);
      const auto add_line = [&](const std::string& metric, const std::string& value) {
        auto fields = start;
        fields.insert(fields.end(),
                      {std::to_string(run.seed), run_folder::to_string(run.record.status), metric, value});
        text += line_of(fields);
      };
      for (const auto& [metric, value] : metrics) add_line(metric, number(value));
      if (metrics.empty()) add_line("", "");
    }
  }
  return text;
}

std::string render_heads_csv(const std::filesystem::path& out, const SweepSummary& summary) {
  std::string text;
  for (const Cell& cell : summary.results.cells) {
    for (const CellRun& run : cell.runs) {
      const auto path = out / "runs" / run.folder / "attention" / "heads.csv";
      if (run.record.status != run_folder::Status::completed || !std::filesystem::exists(path)) continue;
      std::istringstream lines(read_file(path, path.string()));
      std::string line;
      std::getline(lines, line);
      if (text.empty()) text = "variant,hash,seed," + line + "\n";
      while (std::getline(lines, line))
        text += fmt::format("{},{},{},{}\n", quoted(cell.variant), cell.hash, run.seed, line);
    }
  }
  return text;
}

}  // namespace attnlab::results
