// All results as JSON. What no double holds stands as "inf", other numbers that are not finite as null.

#include "experiments/results/effects.h"
#include "experiments/results/table.h"
#include "support/number_text.h"

namespace attnlab::results {
namespace {

void put(Json& json, const char* key, const std::optional<double>& value) {
  json[key] = value ? Json(*value) : Json();
}

Json to_json(const MetricSummary& metric) {
  Json json = {{"mean", json_number(metric.mean)}};
  put(json, "sd", metric.sd);
  json["n"] = metric.by_seed.size();
  json["by_seed"] = Json::object();
  for (const auto& [seed, value] : metric.by_seed) json["by_seed"][std::to_string(seed)] = json_number(value);
  return json;
}

Json to_json(const Comparison& comparison, const SweepResults& results) {
  if (comparison.kind == Comparison::Kind::none) return nullptr;
  if (comparison.kind == Comparison::Kind::baseline) return "baseline";
  Json json = {{"partner", results.cells[comparison.partner].variant},
               {"partner_hash", results.cells[comparison.partner].hash},
               {"mean", comparison.difference.mean},
               {"n", comparison.difference.n}};
  put(json, "low", comparison.difference.low);
  put(json, "high", comparison.difference.high);
  put(json, "p", comparison.difference.p);
  put(json, "p_holm", comparison.p_holm);
  json["bootstrap"] = comparison.bootstrap ? Json{{"low", comparison.bootstrap->low},
                                                  {"high", comparison.bootstrap->high},
                                                  {"resamples", kResamples},
                                                  {"seed", kResamplingSeed}}
                                           : Json();
  json["stars"] = stars(comparison);
  return json;
}

Json to_json(const CellRun& run) {
  const auto& record = run.record;
  return {
      {"seed", run.seed},           {"folder", run.folder},          {"status", run_folder::to_string(record.status)},
      {"error", record.error},      {"seconds", record.seconds},     {"threads", record.threads},
      {"device", record.device},    {"precision", record.precision}, {"host", record.host},
      {"versions", record.versions}};
}

Json to_json(const Cell& cell, const CellSummary& summary, const SweepResults& results) {
  Json json = {{"variant", cell.variant}, {"hash", cell.hash}, {"factors", cell.factors}};
  json["metrics"] = Json::object();
  for (const auto& [name, metric] : summary.metrics) json["metrics"][name] = to_json(metric);
  json["delta"] = to_json(summary.comparison, results);
  json["best"] = summary.best;
  json["runs"] = Json::array();
  for (const auto& run : cell.runs) json["runs"].push_back(to_json(run));
  return json;
}

Json to_json(const std::optional<Contrast>& contrast) {
  if (!contrast) return nullptr;
  Json json = {{"mean", contrast->difference.mean}, {"n", contrast->difference.n}};
  put(json, "low", contrast->difference.low);
  put(json, "high", contrast->difference.high);
  put(json, "p", contrast->difference.p);
  json["combinations"] = contrast->combinations;
  json["all_combinations"] = contrast->all_combinations;
  return json;
}

Json to_json(const MainEffect& effect, const GridFactor& factor) {
  Json json = {{"factor", factor.paths}, {"reference", factor.levels[factor.reference]}, {"levels", Json::array()}};
  for (size_t i = 0; i < effect.levels.size(); ++i) {
    const auto& level = effect.levels[i];
    Json entry = {{"level", factor.levels[i]}, {"cells", level.cells}, {"runs", level.runs}};
    put(entry, "mean", level.mean);
    entry["from_reference"] = to_json(level.from_reference);
    json["levels"].push_back(entry);
  }
  return json;
}

Json to_json(const Interaction& interaction, const Grid& grid) {
  const auto& rows = grid.factors[interaction.first];
  const auto& columns = grid.factors[interaction.second];
  Json json = {{"rows", rows.paths}, {"columns", columns.paths}, {"cells", Json::array()}};
  for (size_t a = 0; a < rows.levels.size(); ++a)
    for (size_t b = 0; b < columns.levels.size(); ++b) {
      Json entry = {{"row", rows.levels[a]}, {"column", columns.levels[b]}};
      put(entry, "mean", interaction.means[a][b]);
      entry["contrast"] = to_json(interaction.contrasts[a][b]);
      json["cells"].push_back(entry);
    }
  return json;
}

Json effects_json(const SweepResults& results) {
  const Grid grid = lay_grid(results);
  const Effects effects = find_effects(results, grid, results.metric);
  Json json = {{"balanced", effects.balanced}, {"main", Json::array()}, {"interactions", Json::array()}};
  for (const auto& effect : effects.main) json["main"].push_back(to_json(effect, grid.factors[effect.factor]));
  for (const auto& interaction : effects.interactions) json["interactions"].push_back(to_json(interaction, grid));
  return json;
}

Json to_json(const PublishedMetric& published, const SweepResults& results) {
  Json json = {{"metric", published.metric}, {"cells", Json::array()}};
  for (const auto& cell : published.cells) {
    Json entry = {{"variant", results.cells[cell.cell].variant},
                  {"hash", results.cells[cell.cell].hash},
                  {"published", cell.published}};
    put(entry, "published_delta", cell.published_delta);
    entry["delta"] = to_json(cell.ours, results);
    entry["direction"] = cell.direction == Direction::none ? Json() : Json(to_string(cell.direction));
    json["cells"].push_back(entry);
  }
  json["same"] = published.count(Direction::same);
  json["opposite"] = published.count(Direction::opposite);
  json["no_change"] = published.count(Direction::no_change);
  json["open"] = published.count(Direction::open);
  return json;
}

Json published_json(const SweepSummary& summary) {
  const auto& results = summary.results;
  Json json = {{"source", results.published_source}, {"metrics", Json::array()}};
  for (const auto& metric : summary.published) json["metrics"].push_back(to_json(metric, results));
  return json;
}

}  // namespace

std::string render_json(const SweepSummary& summary) {
  const auto& results = summary.results;
  Json json = {
      {"name", results.name},
      {"metric", {{"name", results.metric}, {"goal", results.goal == sweep::Goal::minimize ? "minimize" : "maximize"}}},
      {"baseline", results.baseline},
      {"factors", results.factors},
      {"cells", Json::array()},
      {"signatures", summary.signatures},
      {"notes", summary.notes}};
  for (size_t i = 0; i < summary.cells.size(); ++i)
    json["cells"].push_back(to_json(results.cells[i], summary.cells[i], results));
  if (!results.published_source.empty()) json["published"] = published_json(summary);
  json["effects"] = effects_json(results);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace attnlab::results
