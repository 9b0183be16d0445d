#include "experiments/results/effects.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace attnlab::results {
namespace {

using Levels = std::vector<size_t>;
using BySeed = std::map<int64_t, double>;

/// The values of the metric by the levels of their cell.
class ValueTable {
 public:
  ValueTable(const SweepResults& results, const Grid& grid, const std::string& metric) : grid_(grid) {
    for (size_t cell = 0; cell < results.cells.size(); ++cell) {
      auto values = values_by_seed(results.cells[cell], metric);
      for (const auto& [seed, value] : values) seeds_.insert(seed);
      if (!values.empty()) cells_.emplace(grid.levels_of[cell], std::move(values));
    }
  }

  const Grid& grid() const { return grid_; }
  const std::map<Levels, BySeed>& cells() const { return cells_; }
  const std::set<int64_t>& seeds() const { return seeds_; }
  const BySeed* find(const Levels& levels) const {
    const auto found = cells_.find(levels);
    return found == cells_.end() ? nullptr : &found->second;
  }
  bool complete() const {
    return cells_.size() == grid_.full_size() && std::all_of(cells_.begin(), cells_.end(), [&](const auto& cell) {
             return cell.second.size() == seeds_.size();
           });
  }

 private:
  const Grid& grid_;
  std::map<Levels, BySeed> cells_;
  std::set<int64_t> seeds_;
};

/// One cell of a contrast: factors that it fixes, and its sign.
struct Term {
  std::vector<std::pair<size_t, size_t>> fixed;  ///< factor, level
  double sign = 1;
};

/// The contrast of one combination of the other factors, for each seed that all its cells have.
BySeed contrast_of(const ValueTable& table, Levels levels, const std::vector<Term>& terms) {
  BySeed sums;
  for (size_t t = 0; t < terms.size(); ++t) {
    for (const auto& [factor, level] : terms[t].fixed) levels[factor] = level;
    const BySeed* values = table.find(levels);
    if (values == nullptr) return {};
    BySeed next;
    for (const auto& [seed, value] : *values)
      if (t == 0 || sums.count(seed) > 0) next[seed] = (t == 0 ? 0 : sums[seed]) + terms[t].sign * value;
    sums = std::move(next);
  }
  return sums;
}

std::vector<BySeed> with_seeds(const std::vector<BySeed>& combinations, const std::set<int64_t>& seeds) {
  std::vector<BySeed> kept;
  for (const auto& combination : combinations) {
    BySeed values;
    for (const int64_t seed : seeds)
      if (const auto found = combination.find(seed); found != combination.end()) values.insert(*found);
    if (values.size() == seeds.size()) kept.push_back(std::move(values));
  }
  return kept;
}

/// Every seed must see the same combinations, or their averages would differ by what they average over. Either the
/// combinations that lack a seed are left out, or the seeds that a combination lacks: whichever keeps more values.
std::vector<BySeed> rectangle(const std::vector<BySeed>& combinations) {
  std::set<int64_t> any, all;
  for (const auto& combination : combinations)
    for (const auto& [seed, value] : combination) any.insert(seed);
  for (const int64_t seed : any)
    if (std::all_of(combinations.begin(), combinations.end(),
                    [&](const BySeed& combination) { return combination.count(seed) > 0; }))
      all.insert(seed);
  const auto by_combination = with_seeds(combinations, any);
  if (by_combination.size() * any.size() >= combinations.size() * all.size()) return by_combination;
  return with_seeds(combinations, all);
}

std::optional<Contrast> find_contrast(const ValueTable& table, const std::vector<Term>& terms) {
  std::vector<BySeed> combinations;
  for (const auto& [levels, values] : table.cells()) {
    const auto& first = terms.front().fixed;
    const bool starts = std::all_of(first.begin(), first.end(),
                                    [&, &at = levels](const auto& fixed) { return at[fixed.first] == fixed.second; });
    if (!starts) continue;
    if (auto values_of = contrast_of(table, levels, terms); !values_of.empty())
      combinations.push_back(std::move(values_of));
  }
  combinations = rectangle(combinations);
  if (combinations.empty()) return std::nullopt;
  std::vector<double> by_seed;
  for (const auto& [seed, value] : combinations.front()) {
    double sum = 0;
    for (const auto& combination : combinations) sum += combination.at(seed);
    by_seed.push_back(sum / static_cast<double>(combinations.size()));
  }
  Contrast contrast{paired_difference(by_seed), combinations.size(), table.grid().full_size()};
  for (const auto& [factor, level] : terms.front().fixed)
    contrast.all_combinations /= table.grid().factors[factor].levels.size();
  return contrast;
}

double mean_of(const BySeed& values) {
  double sum = 0;
  for (const auto& [seed, value] : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Mean over the means of the cells that have these levels, each cell with the same weight.
LevelEffect summarize(const ValueTable& table, const std::vector<std::pair<size_t, size_t>>& fixed) {
  LevelEffect effect;
  double sum = 0;
  for (const auto& [levels, values] : table.cells()) {
    const bool there =
        std::all_of(fixed.begin(), fixed.end(), [&, &at = levels](const auto& f) { return at[f.first] == f.second; });
    if (!there) continue;
    ++effect.cells;
    effect.runs += values.size();
    sum += mean_of(values);
  }
  if (effect.cells > 0) effect.mean = sum / static_cast<double>(effect.cells);
  return effect;
}

MainEffect main_effect(const ValueTable& table, size_t factor) {
  MainEffect effect{factor, {}};
  const auto& about = table.grid().factors[factor];
  for (size_t level = 0; level < about.levels.size(); ++level) {
    effect.levels.push_back(summarize(table, {{factor, level}}));
    if (level == about.reference) continue;
    effect.levels.back().from_reference =
        find_contrast(table, {{{{factor, level}}, 1}, {{{factor, about.reference}}, -1}});
  }
  return effect;
}

Interaction interaction(const ValueTable& table, size_t first, size_t second) {
  Interaction result{first, second, {}, {}};
  const auto& rows = table.grid().factors[first];
  const auto& columns = table.grid().factors[second];
  const size_t a0 = rows.reference, b0 = columns.reference;
  for (size_t a = 0; a < rows.levels.size(); ++a) {
    auto& means = result.means.emplace_back();
    auto& contrasts = result.contrasts.emplace_back(columns.levels.size());
    for (size_t b = 0; b < columns.levels.size(); ++b) {
      means.push_back(summarize(table, {{first, a}, {second, b}}).mean);
      if (a == a0 || b == b0) continue;
      contrasts[b] = find_contrast(table, {{{{first, a}, {second, b}}, 1},
                                           {{{first, a0}, {second, b}}, -1},
                                           {{{first, a}, {second, b0}}, -1},
                                           {{{first, a0}, {second, b0}}, 1}});
    }
  }
  return result;
}

std::string counted(size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// What keeps the grid from being complete.
std::string describe_imbalance(const SweepResults& results, const ValueTable& table) {
  const size_t full = table.grid().full_size(), planned = results.cells.size();
  size_t without = 0;
  for (const auto& cell : results.cells)
    for (const auto& run : cell.runs) without += run.record.status == run_folder::Status::completed ? 0 : 1;
  std::string reasons;
  if (planned < full)
    reasons = fmt::format("{} of {} combinations of levels {} not in the plan", full - planned, full,
                          full - planned == 1 ? "is" : "are");
  if (without > 0)
    reasons += (reasons.empty() ? "" : ", ") + counted(without, "run has no result", "runs have no result");
  if (reasons.empty()) reasons = "some cells lack the metric for some seeds";
  return "The grid is not balanced: " + reasons +
         ". A level's mean therefore also holds what else differs between its cells; differences and interactions use "
         "only combinations, and seeds, that all compared levels have.";
}

}  // namespace

Effects find_effects(const SweepResults& results, const Grid& grid, const std::string& metric) {
  const ValueTable table(results, grid, metric);
  Effects effects;
  effects.balanced = table.complete();
  if (!effects.balanced && grid.factors.size() > 1) effects.imbalance = describe_imbalance(results, table);
  for (size_t f = 0; f < grid.factors.size(); ++f) {
    effects.main.push_back(main_effect(table, f));
    for (size_t g = f + 1; g < grid.factors.size(); ++g) effects.interactions.push_back(interaction(table, f, g));
  }
  return effects;
}

}  // namespace attnlab::results
