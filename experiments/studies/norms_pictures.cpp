#include "experiments/studies/norms_pictures.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "experiments/page/figure.h"
#include "experiments/spec/plan.h"

namespace attnlab::studies {

namespace {

/// What a cell is called in one map: its placement and whatever else is varied beside rate and warm-up.
std::string block_name(const Json& factors) {
  std::string name;
  for (const auto& [key, value] : factors.items()) {
    if (key == kWarmup || key == kPeak || key == kFactor) continue;
    name += (name.empty() ? "" : ", ") + spec::factor_text(value);
  }
  return name;
}

size_t place_in(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

}  // namespace

page::Svg draw_outcome_map(const NormCells& cells) {
  page::OutcomeMap map{
      "Runs that train, by learning rate and warm-up", "rows: learning rate", "warm-up steps", {}, {}, {}};
  std::vector<std::string> names;
  for (const results::Cell& cell : cells.summary.results.cells) {
    place_in(map.row_names, rate_of(cell.factors));
    place_in(map.column_names, warmup_of(cell.factors));
    place_in(names, block_name(cell.factors));
  }
  const page::OutcomeMap::Field nothing{"-", "", std::numeric_limits<double>::quiet_NaN()};
  for (const std::string& name : names) {
    map.blocks.push_back(
        {name, std::vector<std::vector<page::OutcomeMap::Field>>(
                   map.row_names.size(), std::vector<page::OutcomeMap::Field>(map.column_names.size(), nothing))});
  }
  for (size_t i = 0; i < cells.runs.size(); ++i) {
    const Json& factors = cells.summary.results.cells[i].factors;
    const Counts counts = count(cells.runs[i]);
    if (counts.ended() == 0) continue;
    auto& block = map.blocks[place_in(names, block_name(factors))];
    block.rows[place_in(map.row_names, rate_of(factors))][place_in(map.column_names, warmup_of(factors))] = {
        fmt::format("{}/{} train", counts.trains, counts.ended()), outcome_text(counts),
        static_cast<double>(counts.trains) / counts.ended()};
  }
  return page::draw_outcomes(map);
}

page::Svg draw_gradients(const NormCells& cells, const std::string& when, const std::string& title) {
  page::Chart chart{title, "layer", "gradient per token, L2 norm", true, {}};
  std::vector<std::string> names;
  std::vector<std::vector<NormRun>> runs;
  for (size_t i = 0; i < cells.runs.size(); ++i) {
    const size_t block = place_in(names, block_name(cells.summary.results.cells[i].factors));
    runs.resize(names.size());
    runs[block].insert(runs[block].end(), cells.runs[i].begin(), cells.runs[i].end());
  }
  for (size_t block = 0; block < names.size(); ++block) {
    for (const char* stack : {"encoder", "decoder"})
      chart.series.push_back({names[block] + ", " + stack, gradient_curve(runs[block], when, stack, "w_2").points()});
  }
  return page::draw_chart(chart);
}

}  // namespace attnlab::studies
