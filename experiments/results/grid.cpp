#include "experiments/results/grid.h"

#include <algorithm>
#include <map>
#include <optional>

#include "experiments/spec/plan.h"
#include "experiments/spec/short_names.h"

namespace attnlab::results {
namespace {

/// A factor with the level of each cell.
struct Axis {
  GridFactor factor;
  std::vector<size_t> level_of;
};

/// 4 and 4.0 are one level, as in the comparison with the baseline.
std::optional<size_t> find_value(const std::vector<Json>& values, const Json& value) {
  for (size_t i = 0; i < values.size(); ++i)
    if (nlohmann::json(values[i]) == nlohmann::json(value)) return i;
  return std::nullopt;
}

Axis axis_of(const SweepResults& results, size_t index, const std::string& name) {
  const auto& path = results.factors[index];
  Axis axis{{{path}, name, {}, 0}, {}};
  std::vector<Json> values;
  for (const auto& cell : results.cells) {
    const Json value = cell.factors.value(path, Json());
    const auto known = find_value(values, value);
    if (!known) {
      values.push_back(value);
      axis.factor.levels.push_back(spec::factor_text(value));
    }
    axis.level_of.push_back(known.value_or(values.size() - 1));
  }
  if (results.baseline.contains(path)) axis.factor.reference = find_value(values, results.baseline[path]).value_or(0);
  return axis;
}

/// Whether each level of one always stands with the same level of the other. Levels are numbered by first appearance,
/// so such axes have equal numbers.
bool change_together(const Axis& a, const Axis& b) {
  return a.level_of == b.level_of;
}

void join(Axis& into, const Axis& other) {
  into.factor.paths.push_back(other.factor.paths.front());
  into.factor.name += " + " + other.factor.name;
  for (size_t i = 0; i < into.factor.levels.size(); ++i) into.factor.levels[i] += " / " + other.factor.levels[i];
}

}  // namespace

size_t Grid::full_size() const {
  size_t size = 1;
  for (const auto& factor : factors) size *= factor.levels.size();
  return size;
}

Grid lay_grid(const SweepResults& results) {
  const auto names = spec::short_names(results.factors);
  std::vector<Axis> axes;
  for (size_t i = 0; i < results.factors.size(); ++i) {
    Axis axis = axis_of(results, i, names[i]);
    if (axis.factor.levels.size() < 2) continue;
    const auto twin =
        std::find_if(axes.begin(), axes.end(), [&](const Axis& known) { return change_together(known, axis); });
    if (twin == axes.end()) {
      axes.push_back(std::move(axis));
    } else {
      join(*twin, axis);
    }
  }
  Grid grid;
  grid.levels_of.resize(results.cells.size());
  for (auto& axis : axes) {
    for (size_t cell = 0; cell < axis.level_of.size(); ++cell) grid.levels_of[cell].push_back(axis.level_of[cell]);
    grid.factors.push_back(std::move(axis.factor));
  }
  return grid;
}

std::string cell_label(const SweepResults& results, const Grid& grid, size_t cell) {
  std::string label;
  for (size_t f = 0; f < grid.factors.size(); ++f)
    label += (f > 0 ? ", " : "") + grid.factors[f].name + " " + grid.factors[f].levels[grid.levels_of[cell][f]];
  return label.empty() ? results.name : label;
}

std::string cells_head(const Grid& grid) {
  std::string head;
  for (const auto& factor : grid.factors) head += (head.empty() ? "" : " · ") + factor.name;
  return head.empty() ? "cell" : head;
}

std::string cell_levels(const SweepResults& results, const Grid& grid, size_t cell) {
  std::string text;
  for (size_t f = 0; f < grid.factors.size(); ++f)
    text += (f > 0 ? " · " : "") + grid.factors[f].levels[grid.levels_of[cell][f]];
  return text.empty() ? results.name : text;
}

}  // namespace attnlab::results
