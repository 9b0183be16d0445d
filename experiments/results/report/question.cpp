// What the sweep asks, in words: heading, what varies, what is held.

#include <algorithm>

#include <fmt/format.h>

#include "experiments/page/markup.h"
#include "experiments/results/layout.h"
#include "experiments/results/report/html.h"
#include "experiments/results/report/sections.h"
#include "experiments/spec/plan.h"

namespace attnlab::results::report {
namespace {

using page::xml_text;

std::string counted(size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::map<run_folder::Status, size_t> count_states(const SweepResults& results) {
  std::map<run_folder::Status, size_t> counts;
  for (const auto& cell : results.cells)
    for (const auto& run : cell.runs) ++counts[run.record.status];
  return counts;
}

/// A status as a person reads it in a list.
std::string state_name(run_folder::Status status) {
  return status == run_folder::Status::queued ? "not started" : run_folder::to_string(status);
}

std::string chips(const SweepResults& results) {
  std::string html;
  for (const auto& [status, count] : count_states(results))
    html +=
        fmt::format("<span class=\"chip {}\">{} {}</span> ", run_folder::to_string(status), count, state_name(status));
  return html;
}

std::string best_sentence(const Content& content) {
  const auto& results = content.summary.results;
  for (size_t i = 0; i < content.summary.cells.size(); ++i) {
    const auto& cell = content.summary.cells[i];
    if (!cell.best) continue;
    const auto& metric = cell.metrics.at(results.metric);
    const std::string spread = metric.sd ? " ± " + format_metric(results.metric, *metric.sd) : "";
    return paragraph(
        fmt::format("Best mean: {} with <b>{}</b>{} {} over {}{}.", isolated(cell_label(results, content.grid, i)),
                    xml_text(with_minus(format_metric(results.metric, metric.mean))), xml_text(spread),
                    xml_text(metric_label(results.metric)), counted(metric.by_seed.size(), "seed", "seeds"),
                    metric.sd ? "" : ", which cannot tell it from chance"),
        "lead");
  }
  return "";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string factor_row(const GridFactor& factor, const Json& baseline) {
  std::string paths, levels;
  for (const auto& path : factor.paths) paths += (paths.empty() ? "" : " + ") + code(path);
  for (size_t i = 0; i < factor.levels.size(); ++i) {
    const bool marked = i == factor.reference && baseline.contains(factor.paths.front());
    levels += fmt::format("<span class=\"level{}\">{}</span> ", marked ? " baseline" : "", isolated(factor.levels[i]));
  }
  return "<dt>" + paths + "</dt><dd>" + levels + "</dd>\n";
}

std::set<int64_t> seeds_of(const SweepResults& results) {
  std::set<int64_t> seeds;
  for (const auto& cell : results.cells)
    for (const auto& run : cell.runs) seeds.insert(run.seed);
  return seeds;
}

std::string seeds_text(const SweepResults& results) {
  std::string text;
  for (const int64_t seed : seeds_of(results)) text += (text.empty() ? "" : ", ") + std::to_string(seed);
  return text;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

void flatten(const Json& json, const std::string& path, Settings& settings) {
  if (json.is_object() && !json.empty()) {
    for (const auto& [key, value] : json.items()) flatten(value, path.empty() ? key : path + "." + key, settings);
    return;
  }
  const auto known =
      std::find_if(settings.begin(), settings.end(), [&](const auto& entry) { return entry.first == path; });
  if (known != settings.end())
    known->second = spec::factor_text(json);
  else
    settings.emplace_back(path, spec::factor_text(json));
}

std::string settings_list(const Settings& settings, const std::vector<std::string>& left_out) {
  std::string html;
  for (const auto& [path, value] : settings) {
    if (path.empty() || path == "seed" || std::find(left_out.begin(), left_out.end(), path) != left_out.end()) continue;
    html += "<div><dt>" + code(path) + "</dt><dd>" + isolated(value.empty() ? "\"\"" : value) + "</dd></div>\n";
  }
  return html.empty() ? "" : "<dl class=\"settings\">\n" + html + "</dl>\n";
}

/// A member of a file that a person may have changed.
Json object_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_object() ? *found : Json::object();
}

std::string held(const Content& content) {
  const auto& factors = content.summary.results.factors;
  std::string html;
  Settings own, resolved;
  flatten(object_in(content.spec, "base"), "", own);
  flatten(object_in(content.spec, "set"), "", own);  // made last, so it beats the base
  flatten(content.config, "", resolved);
  for (const auto& problem : content.unreadable) html += paragraph(isolated(problem), "warning");
  const std::string shared = settings_list(own, factors);
  if (!shared.empty())
    html += "<h3>Held fixed</h3>\n" + paragraph("What the spec sets for every run:", "soft") + shared;
  if (const auto all = settings_list(resolved, factors); !all.empty())
    html += folded("Every setting of the first run, defaults filled in", all);
  return html;
}

std::string question_words(const Content& content) {
  const auto& results = content.summary.results;
  std::vector<std::string> names;
  for (const auto& factor : content.grid.factors) names.push_back("<b>" + isolated(factor.name) + "</b>");
  if (names.empty())
    return fmt::format("Nothing is varied but the seed: how does this configuration score in {}?",
                       isolated(metric_label(results.metric)));
  return fmt::format("What {} {} do to {}?", names.size() == 1 ? "does" : "do", listed(names),
                     isolated(metric_label(results.metric)));
}

std::string baseline_text(const SweepResults& results) {
  std::string text;
  for (const auto& [path, value] : results.baseline.items())
    text += (text.empty() ? "" : ", ") + code(path + " = " + spec::factor_text(value));
  return text.empty() ? "none; no cell is compared with another" : text;
}

}  // namespace

std::string heading(const Content& content) {
  const auto& results = content.summary.results;
  std::string html = "<header class=\"title\">\n<h1>" + isolated(results.name) + "</h1>\n";
  if (const auto about = content.spec.find("description"); about != content.spec.end() && about->is_string())
    html += paragraph(isolated(about->get<std::string>()), "description");
  return html + paragraph(chips(results), "chips") + best_sentence(content) + "</header>\n";
}

std::string question_section(const Content& content) {
  const auto& results = content.summary.results;
  const auto& grid = content.grid;
  std::string html = paragraph(question_words(content), "lead");
  html += "<dl class=\"facts\">\n";
  for (const auto& factor : grid.factors) html += factor_row(factor, results.baseline);
  const size_t full = grid.full_size(), cells = results.cells.size();
  if (cells > 1)
    html += fmt::format("<dt>cells</dt><dd>{}{}</dd>\n", cells,
                        cells == full ? ": every combination" : fmt::format(" of {} possible combinations", full));
  html += "<dt>seeds</dt><dd>" + seeds_text(results) + "</dd>\n";
  html += fmt::format("<dt>metric</dt><dd>{}, {} is better</dd>\n", code(results.metric),
                      results.goal == sweep::Goal::minimize ? "lower" : "higher");
  html += "<dt>baseline</dt><dd>" + baseline_text(results) + "</dd>\n</dl>\n";
  return section("question", "Question", html + held(content));
}

}  // namespace attnlab::results::report
