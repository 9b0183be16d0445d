#include "experiments/results/report/report.h"

#include <array>
#include <utility>

#include "experiments/page/frame.h"
#include "experiments/page/markup.h"
#include "experiments/results/report/page_parts.h"
#include "experiments/results/report/sections.h"
#include "experiments/sweep/own_files.h"
#include "support/files.h"

namespace attnlab::results {
namespace {

namespace fs = std::filesystem;
using report::Content;

/// A file that an older version, or a person, may have taken away. What cannot be read is told to the reader of the
/// page, which does without.
Json read_if_there(const fs::path& path, Content& content) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return Json::object();
  try {
    Json json = read_json(path, "a file of the sweep");
    if (json.is_object()) return json;
    content.unreadable.push_back(path.string() + ": holds no JSON object");
  } catch (const std::exception& problem) {
    content.unreadable.emplace_back(problem.what());
  }
  return Json::object();
}

Json first_config(Content& content) {
  for (const auto& cell : content.summary.results.cells)
    for (const auto& run : cell.runs)
      if (Json config = read_if_there(content.out / "runs" / run.folder / "config.json", content); !config.empty())
        return config;
  return Json::object();
}

Content gather(const fs::path& out, const ReportOptions& options) {
  Content content;
  content.out = out;
  content.summary = summarize(collect(out));
  const auto& results = content.summary.results;
  content.grid = lay_grid(results);
  content.effects = find_effects(results, content.grid, results.metric);
  content.curves = collect_curves(out, results);
  content.study = options.study;
  if (options.sentence_tests) content.sentences = test_sentences(out, content.summary, options.threads);
  content.spec = read_if_there(out / "spec.json", content);
  content.config = first_config(content);
  return content;
}

void draw(Content& content) {
  const auto& summary = content.summary;
  content.cells_figure = draw_cells(summary, content.grid);
  content.effects_figure = draw_effects(summary.results, content.grid, content.effects);
  for (const auto& interaction : content.effects.interactions)
    content.interaction_figures.push_back(draw_interaction(summary.results, content.grid, interaction));
  for (const auto& published : summary.published)
    content.published_figures.push_back(draw_published(summary.results, content.grid, published));
  content.valid_figure = draw_curves(summary, content.grid, content.effects, content.curves, Loss::valid);
  content.train_figure = draw_curves(summary, content.grid, content.effects, content.curves, Loss::train);
}

/// Pictures of an earlier state of the sweep go, so that the folder shows one state; a person's own stay.
void write_figures(sweep::OwnFiles& own, const Content& content) {
  std::map<std::string, const page::Svg*> files;
  if (content.cells_figure) files["cells.svg"] = &*content.cells_figure;
  if (content.effects_figure) files["effects.svg"] = &*content.effects_figure;
  if (content.valid_figure) files["validation_loss.svg"] = &content.valid_figure->svg;
  if (content.train_figure) files["training_loss.svg"] = &content.train_figure->svg;
  for (size_t i = 0; i < content.published_figures.size(); ++i)
    if (content.published_figures[i])
      files["published-" + page::file_name(content.summary.published[i].metric) + ".svg"] =
          &*content.published_figures[i];
  for (size_t i = 0; i < content.interaction_figures.size(); ++i) {
    const auto& about = content.effects.interactions[i];
    const auto& factors = content.grid.factors;
    if (content.interaction_figures[i])
      files["interaction-" + page::file_name(factors[about.first].name) + "-" +
            page::file_name(factors[about.second].name) + ".svg"] = &*content.interaction_figures[i];
  }
  make_folder(content.out / "figures");
  std::set<std::string> names;
  for (const auto& [name, svg] : files) {
    own.write("figures/" + name, svg->document());
    names.insert("figures/" + name);
  }
  own.keep_only("figures", names);
}

std::string navigation(const std::string& sections) {
  constexpr std::array<std::pair<const char*, const char*>, 12> kParts = {{{"question", "Question"},
                                                                           {"results", "Results"},
                                                                           {"study", "Comparison"},
                                                                           {"published", "Published"},
                                                                           {"factors", "Factors"},
                                                                           {"curves", "Curves"},
                                                                           {"sentences", "Sentences"},
                                                                           {"failures", "Failures"},
                                                                           {"runs", "Runs"},
                                                                           {"environment", "Environment"},
                                                                           {"reproduce", "Reproduce"},
                                                                           {"conventions", "Conventions"}}};
  std::string links;
  for (const auto& [id, name] : kParts)
    if (sections.find("<section id=\"" + std::string(id) + "\"") != std::string::npos)
      links += "<a href=\"#" + std::string(id) + "\">" + name + "</a>\n";
  return "<nav class=\"bar\" aria-label=\"Parts\">\n" + links +
         "<span class=\"spacer\"></span><button type=\"button\" id=\"theme\" class=\"quiet\" "
         "hidden>Dark</button>\n</nav>\n";
}

std::string render(const Content& content) {
  static const std::string style = "\n" + page::joined(report::page_parts::style);
  static const std::string script = page::closed_script(report::page_parts::script);
  std::string sections;
  for (const auto part :
       {report::question_section, report::results_section, report::study_section, report::published_section,
        report::factors_section, report::curves_section, report::sentences_section, report::failures_section,
        report::runs_section, report::environment_section, report::reproduce_section, report::conventions_section})
    sections += part(content);
  return page::head("Report · " + content.summary.results.name, style, script) + navigation(sections) + "<main>\n" +
         report::heading(content) + sections + "</main>\n<div id=\"tooltip\" hidden></div>\n" +
         page::tail(report::page_data(content).dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace),
                    script);
}

}  // namespace

std::vector<std::string> result_names() {
  return {"results.csv",
          "results.json",
          "table.md",
          "table.tex",
          "report.html",
          "figures/cells.svg",
          "figures/effects.svg",
          "figures/training_loss.svg",
          "figures/validation_loss.svg"};
}

fs::path write_report(const fs::path& out, const ReportOptions& options) {
  Content content = gather(out, options);
  draw(content);
  sweep::OwnFiles own(out);
  write_figures(own, content);
  own.write("report.html", render(content));
  return out / "report.html";
}

}  // namespace attnlab::results
