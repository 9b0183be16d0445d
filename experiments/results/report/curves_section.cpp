// Learning curves, and what the page's script draws them from.

#include <fmt/format.h>

#include "experiments/page/markup.h"
#include "experiments/results/report/html.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {

std::string curves_section(const Content& content) {
  if (!content.valid_figure && !content.train_figure) return "";
  std::string html = "<div class=\"controls\" id=\"chart-controls\" hidden>\n";
  if (content.valid_figure && content.train_figure)
    html +=
        "<div class=\"segments\" role=\"radiogroup\" aria-label=\"Loss\"><button type=\"button\" role=\"radio\" "
        "data-loss=\"valid\" aria-checked=\"true\">Validation</button><button type=\"button\" role=\"radio\" "
        "data-loss=\"train\" aria-checked=\"false\">Training</button></div>\n";
  html +=
      "<label>Colour by <select id=\"colour\"></select></label>\n"
      "<label class=\"check\"><input type=\"checkbox\" id=\"log-x\"> log steps</label>\n"
      "<label class=\"check\"><input type=\"checkbox\" id=\"log-y\"> log loss</label>\n"
      "<span class=\"readout soft\" id=\"readout\" aria-live=\"polite\"></span>\n</div>\n";
  const auto chart = [&](const std::optional<CurvesFigure>& drawn, const char* id) {
    return drawn ? figure(drawn->svg, "", fmt::format("id=\"chart-{}\" tabindex=\"0\"", id)) : std::string();
  };
  html +=
      "<div id=\"charts\">" + chart(content.valid_figure, "valid") + chart(content.train_figure, "train") + "</div>\n";
  std::string note =
      "A line is the mean over the completed seeds of a cell, at the steps that all of them have; the band goes "
      "from the least to the greatest seed. Thin lines with a cross are runs that did not complete.";
  if (content.curves.window > 1)
    note += fmt::format(" Training losses are averaged over windows of {} steps.", content.curves.window);
  note += " What lies outside the frame is drawn at its edge.";
  return section("curves", "Learning curves", html + paragraph(note, "soft"));
}

Json page_data(const Content& content) {
  Json lines = Json::array();
  const auto rounded = [](double value) { return Json::parse(fmt::format("{:.5g}", value)); };
  const auto curve_json = [&](const MeanCurve& curve, bool band) {
    Json json = {{"steps", curve.steps}, {"mean", Json::array()}};
    for (const double value : curve.mean) json["mean"].push_back(rounded(value));
    if (!band) return json;
    for (const double value : curve.low) json["low"].push_back(rounded(value));
    for (const double value : curve.high) json["high"].push_back(rounded(value));
    return json;
  };
  for (const auto& line : content.curves.lines) {
    const bool band = line.runs > 1;
    lines.push_back({{"cell", line.cell},
                     {"label", page::printable(cell_label(content.summary.results, content.grid, line.cell))},
                     {"levels", content.grid.levels_of[line.cell]},
                     {"runs", line.runs},
                     {"unfinished", line.unfinished},
                     {"valid", curve_json(line.valid, band)},
                     {"train", curve_json(line.train, band)}});
  }
  Json factors = Json::array();
  for (const auto& factor : content.grid.factors) {
    Json levels = Json::array();
    for (const auto& level : factor.levels) levels.push_back(page::printable(level));
    factors.push_back({{"name", page::printable(factor.name)}, {"levels", levels}});
  }
  Json cells = Json::array();
  for (size_t i = 0; i < content.summary.results.cells.size(); ++i)
    cells.push_back(page::printable(cell_label(content.summary.results, content.grid, i)));
  Json data = {{"lines", lines},
               {"factors", factors},
               {"cells", cells},
               {"labels", {{"valid", loss_label(Loss::valid)}, {"train", loss_label(Loss::train)}}}};
  if (const auto& drawn = content.valid_figure ? content.valid_figure : content.train_figure)
    data["chart"] = {{"frame", {drawn->left, drawn->top, drawn->right, drawn->bottom}},
                     {"colour", drawn->colour_factor}};
  return data;
}

}  // namespace attnlab::results::report
