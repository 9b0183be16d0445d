// Where the numbers come from: failures, files, machines, commands and conventions.

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "experiments/page/markup.h"
#include "experiments/results/layout.h"
#include "experiments/results/report/fields.h"
#include "experiments/results/report/sections.h"
#include "support/shell.h"

namespace attnlab::results::report {
namespace {

namespace fs = std::filesystem;
using page::xml_text;

constexpr size_t kManyRuns = 24;  // a longer list is folded

/// What a run's folder may hold, and what a person calls it.
constexpr std::array<std::pair<const char*, const char*>, 9> kFiles = {{{"config.json", "config"},
                                                                        {"run.json", "record"},
                                                                        {"metrics.jsonl", "metrics"},
                                                                        {"train.log", "log"},
                                                                        {"translations.txt", "translations"},
                                                                        {"references.txt", "references"},
                                                                        {"checkpoints/", "checkpoints"},
                                                                        {"attention/", "attention"},
                                                                        {"analysis/", "analysis"}}};

std::string file_links(const Content& content, const CellRun& run) {
  std::string html;
  for (const auto& [file, name] : kFiles) {
    std::error_code ignored;
    const std::string path = "runs/" + run.folder + "/" + file;
    if (fs::exists(content.out / path, ignored)) html += (html.empty() ? "" : " · ") + link(path, name);
  }
  return html;
}

std::string command(const std::string& line) {
  return "<pre><code><bdi>" + xml_text(line) + "</bdi></code></pre>\n";
}

const CellRun* first_run(const SweepResults& results, bool finished) {
  for (const auto& cell : results.cells)
    for (const auto& run : cell.runs)
      if (!finished || run.record.status == run_folder::Status::completed) return &run;
  return nullptr;
}

/// What commands in the sweep's folder must add: a relative folder of texts starts where the sweep was started.
std::string moved_data(const Content& content) {
  static const Json::json_pointer key("/data/dir");
  if (!content.config.contains(key) || !content.config[key].is_string()) return "";
  const fs::path dir = content.config[key].get<std::string>();
  if (dir.empty() || dir.is_absolute()) return "";
  return " --set " + shell_quoted("data.dir=/path/to/" + dir.filename().string());
}

std::string versions_text(const std::map<std::string, std::string>& versions) {
  std::string text;
  for (const auto& [name, version] : versions) text += (text.empty() ? "" : ", ") + name + " " + version;
  return text;
}

/// Multi-line text as a person wrote it.
std::string error_html(const std::string& error) {
  std::string html;
  for (size_t at = 0; at <= error.size();) {
    const size_t end = std::min(error.find('\n', at), error.size());
    html += (html.empty() ? "" : "<br>") + isolated(error.substr(at, end - at));
    at = end + 1;
  }
  return html;
}

std::string ending(const run_folder::RunRecord& record) {
  if (record.signal) return fmt::format("signal {}", *record.signal);
  return record.exit_code ? fmt::format("exit code {}", *record.exit_code) : "–";
}

std::string reason_html(const run_folder::RunRecord& record) {
  if (!record.error.empty()) return error_html(record.error);
  if (record.status == run_folder::Status::queued) return "its turn has not come";
  if (record.status == run_folder::Status::running)
    return "it was still running, or its process was killed; attnlab status tells which, attnlab run continues it";
  return "no reason was recorded";
}

}  // namespace

std::string failures_section(const Content& content) {
  const auto& results = content.summary.results;
  HtmlTable table;
  table.heads = {cells_head(content.grid), "seed", "state", "reason", "ended by", "files"};
  table.numbers = {false, true, false, false, false, false};
  for (size_t i = 0; i < results.cells.size(); ++i)
    for (const auto& run : results.cells[i].runs) {
      const auto& record = run.record;
      if (record.status == run_folder::Status::completed) continue;
      const bool waiting = record.status == run_folder::Status::queued;
      table.rows.push_back({cell_field(content, i),
                            number_field(std::to_string(run.seed), static_cast<double>(run.seed)),
                            {fmt::format("<span class=\"chip {}\">{}</span>", run_folder::to_string(record.status),
                                         waiting ? "not started" : run_folder::to_string(record.status)),
                             false, "", ""},
                            {reason_html(record), false, "", "remarks"},
                            text_field(ending(record)),
                            {file_links(content, run), false, "", ""}});
    }
  if (table.rows.empty()) return "";
  return section("failures", "Runs without a result",
                 paragraph("Their numbers, if any, are in no mean.", "soft") + table.html());
}

std::string runs_section(const Content& content) {
  const auto& results = content.summary.results;
  HtmlTable table;
  table.heads = {cells_head(content.grid), "seed", "state", metric_label(results.metric), "minutes", "files"};
  table.numbers = {false, true, false, true, true, false};
  for (size_t i = 0; i < results.cells.size(); ++i)
    for (const auto& run : results.cells[i].runs) {
      const auto values = run_metrics(run.record);
      const auto field = [&](const std::string& metric) {
        const auto found = values.find(metric);
        return found == values.end() ? Field{"–", true, "", "soft"}
                                     : number_field(format_metric(metric, found->second), found->second);
      };
      table.rows.push_back({cell_field(content, i),
                            number_field(std::to_string(run.seed), static_cast<double>(run.seed)),
                            text_field(run_folder::to_string(run.record.status)),
                            field(results.metric),
                            field("minutes"),
                            {file_links(content, run), false, "", "files"}});
    }
  std::string html =
      paragraph("All numbers: " + link("results.csv", "results.csv") + " (one line a run and metric), " +
                link("results.json", "results.json") + ", " + link("table.md", "table.md") + ", " +
                link("table.tex", "table.tex") + ". Pictures: " + link("figures/", "figures/") +
                (content.spec.empty() ? "" : ". What was asked: " + link("spec.json", "spec.json")) + ".");
  html += table.rows.size() > kManyRuns ? folded(fmt::format("All {} runs", table.rows.size()), table.html())
                                        : table.html();
  return section("runs", "Runs and files", html);
}

std::string environment_section(const Content& content) {
  std::map<std::array<std::string, 5>, size_t> machines;
  for (const auto& cell : content.summary.results.cells)
    for (const auto& run : cell.runs) {
      const auto& record = run.record;
      if (record.host.empty() && record.device.empty()) continue;
      ++machines[{record.host, record.device, record.precision, std::to_string(record.threads),
                  versions_text(record.versions)}];
    }
  if (machines.empty()) return "";
  HtmlTable table;
  table.heads = {"host", "device", "precision", "threads a run", "versions", "runs"};
  table.numbers = {false, false, false, true, false, true};
  for (const auto& [machine, count] : machines)
    table.rows.push_back({text_field(machine[0]), text_field(machine[1]), text_field(machine[2]),
                          number_field(machine[3], std::stod(machine[3])), text_field(machine[4]),
                          number_field(std::to_string(count), static_cast<double>(count))});
  std::string html = table.html();
  if (machines.size() > 1)
    html += paragraph(
        "Not all runs were made alike: times and speeds compare only within a line, and scores are bit-identical only "
        "with the same device, precision, threads and versions.",
        "warning");
  return section("environment", "Environment", html);
}

std::string reproduce_section(const Content& content) {
  std::string html = paragraph("In this folder:", "soft");
  html +=
      paragraph("The whole sweep again, in a folder of its own (" + code("spec.json") + " holds base and overrides):");
  const std::string moved = moved_data(content);
  html += command("attnlab run spec.json --out ../again" + moved);
  if (const auto* run = first_run(content.summary.results, false))
    html +=
        paragraph("One run alone, for example:") +
        command("attnlab train " + shell_path("runs/" + run->folder + "/config.json") + " --out ../one-run" + moved);
  if (const auto* run = first_run(content.summary.results, true))
    html += paragraph("What a trained model attends to:") +
            command("attnlab attend --run " + shell_path("runs/" + run->folder) + " --sentence \"...\" --format html");
  html += paragraph("This page:") + command("attnlab report .");
  html += paragraph(
      "On a CPU with the same number of threads and the same versions, a run is bit-identical to its first.", "soft");
  return section("reproduce", "Reproduce", html);
}

std::string conventions_section(const Content& content) {
  std::string html;
  const auto& summary = content.summary;
  for (const auto& [metric, signatures] : summary.signatures)
    for (const auto& signature : signatures)
      html += "<dt>" + isolated("sacreBLEU signature of " + metric_label(metric)) + "</dt><dd>" + code(signature) +
              "</dd>\n";
  for (const auto& [metric, signatures] : summary.signatures)
    if (signatures.size() > 1)
      html += "<dt>attention</dt><dd class=\"warning\">" + isolated(metric_label(metric)) +
              " was computed in more than one way: the scores cannot all be compared</dd>\n";
  for (const auto& [name, notes] : summary.notes) {
    std::string label = name;
    std::replace(label.begin(), label.end(), '_', ' ');
    for (const auto& note : notes) html += "<dt>" + isolated(label) + "</dt><dd>" + isolated(note) + "</dd>\n";
  }
  html += "<dt>± and n</dt><dd>sample standard deviation (divisor n − 1) over n seeds; one seed has none</dd>\n";
  html +=
      "<dt>stars</dt><dd>* p &lt; 0.05, ** p &lt; 0.01, *** p &lt; 0.001 of the paired t test over seeds, after Holm's "
      "correction "
      "over all Δ of the table; never below 3 seeds</dd>\n";
  return section("conventions", "Conventions", "<dl class=\"facts\">\n" + html + "</dl>\n");
}

}  // namespace attnlab::results::report
