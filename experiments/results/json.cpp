// All results as JSON. Numbers that are not finite stand as null.

#include "experiments/results/table.h"

namespace attnlab::results {
namespace {

void put(Json& json, const char* key, const std::optional<double>& value) {
  json[key] = value ? Json(*value) : Json();
}

Json to_json(const MetricSummary& metric) {
  Json json = {{"mean", metric.mean}};
  put(json, "sd", metric.sd);
  json["n"] = metric.by_seed.size();
  json["by_seed"] = Json::object();
  for (const auto& [seed, value] : metric.by_seed) json["by_seed"][std::to_string(seed)] = value;
  return json;
}

Json to_json(const Comparison& comparison, const SweepResults& results) {
  if (comparison.kind == Comparison::Kind::none) return nullptr;
  if (comparison.kind == Comparison::Kind::baseline) return "baseline";
  Json json = {{"partner", results.cells[comparison.partner].variant},
               {"mean", comparison.difference.mean},
               {"n", comparison.difference.n}};
  put(json, "low", comparison.difference.low);
  put(json, "high", comparison.difference.high);
  put(json, "p", comparison.difference.p);
  put(json, "p_holm", comparison.p_holm);
  json["stars"] = stars(comparison);
  return json;
}

Json to_json(const CellRun& run) {
  const auto& record = run.record;
  return {{"seed", run.seed},           {"folder", run.folder},          {"status", sweep::to_string(record.status)},
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
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace attnlab::results
