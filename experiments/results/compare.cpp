#include "experiments/results/compare.h"

#include <algorithm>

namespace attnlab::results {
namespace {

/// 0 and 0.0 are the same value, and the order of factors says nothing.
bool same_factors(const Json& a, const Json& b) {
  return nlohmann::json(a) == nlohmann::json(b);
}

/// The factors of the partner: those of the cell with the baseline's values in place. Keys that are no factors are the
/// same for all cells.
Json partner_factors(Json factors, const Json& baseline) {
  for (const auto& [path, value] : baseline.items())
    if (factors.contains(path)) factors[path] = value;
  return factors;
}

bool fixes_a_factor(const SweepResults& results) {
  return std::any_of(results.factors.begin(), results.factors.end(),
                     [&](const std::string& factor) { return results.baseline.contains(factor); });
}

std::optional<size_t> find_cell(const SweepResults& results, const Json& factors) {
  for (size_t i = 0; i < results.cells.size(); ++i)
    if (same_factors(results.cells[i].factors, factors)) return i;
  return std::nullopt;
}

/// Cell minus partner for each seed that both have.
std::vector<double> paired_values(const Cell& cell, const Cell& partner, const std::string& metric) {
  const auto others = values_by_seed(partner, metric);
  std::vector<double> differences;
  for (const auto& [seed, value] : values_by_seed(cell, metric))
    if (const auto other = others.find(seed); other != others.end()) differences.push_back(value - other->second);
  return differences;
}

Comparison compare(const SweepResults& results, size_t index, const std::string& metric) {
  Comparison comparison;
  const auto& cell = results.cells[index];
  const auto wanted = partner_factors(cell.factors, results.baseline);
  if (same_factors(wanted, cell.factors)) {
    comparison.kind = Comparison::Kind::baseline;
    return comparison;
  }
  const auto partner = find_cell(results, wanted);
  if (!partner) return comparison;
  const auto differences = paired_values(cell, results.cells[*partner], metric);
  if (differences.empty()) return comparison;
  comparison.kind = Comparison::Kind::delta;
  comparison.partner = *partner;
  comparison.difference = paired_difference(differences);
  comparison.bootstrap = bootstrap_interval(differences);
  return comparison;
}

void adjust(std::vector<Comparison>& comparisons) {
  std::vector<double> p_values;
  for (const auto& comparison : comparisons)
    if (comparison.difference.p) p_values.push_back(*comparison.difference.p);
  const auto adjusted = holm(p_values);
  size_t next = 0;
  for (auto& comparison : comparisons)
    if (comparison.difference.p) comparison.p_holm = adjusted[next++];
}

}  // namespace

std::vector<Comparison> compare_to_baseline(const SweepResults& results, const std::string& metric) {
  std::vector<Comparison> comparisons(results.cells.size());
  if (!fixes_a_factor(results)) return comparisons;
  for (size_t i = 0; i < results.cells.size(); ++i) comparisons[i] = compare(results, i, metric);
  adjust(comparisons);
  return comparisons;
}

std::string stars(const Comparison& comparison) {
  if (!comparison.p_holm || comparison.difference.n < kFewestPairs) return "";
  if (*comparison.p_holm < 0.001) return "***";
  if (*comparison.p_holm < 0.01) return "**";
  return *comparison.p_holm < 0.05 ? "*" : "";
}

}  // namespace attnlab::results
