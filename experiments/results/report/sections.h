#pragma once
/// The parts of the report page, each a piece of HTML. A part that has nothing to say is empty.

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "experiments/results/curves.h"
#include "experiments/results/effects.h"
#include "experiments/results/figures.h"
#include "experiments/results/grid.h"
#include "experiments/results/report/report.h"
#include "experiments/results/sentence_tests.h"
#include "experiments/results/summary.h"
#include "support/json.h"

namespace attnlab::results::report {

/// Everything that the page shows.
struct Content {
  std::filesystem::path out;
  SweepSummary summary;
  Grid grid;
  Effects effects;
  LearningCurves curves;
  std::optional<SentenceTests> sentences;  ///< nothing: not asked for
  const StudySection* study = nullptr;     ///< null: the sweep is no study
  Json spec = Json::object();              ///< spec.json; empty if it is missing
  Json config = Json::object();            ///< config.json of the first run that has one
  std::vector<std::string> unreadable;     ///< what could not be read of these, and why

  std::optional<page::Svg> cells_figure, effects_figure;
  std::vector<std::optional<page::Svg>> interaction_figures;  ///< as `effects.interactions`
  std::vector<std::optional<page::Svg>> published_figures;    ///< as `summary.published`
  std::optional<CurvesFigure> valid_figure, train_figure;
};

std::string heading(const Content& content);
std::string question_section(const Content& content);
std::string results_section(const Content& content);
std::string study_section(const Content& content);
std::string published_section(const Content& content);
std::string factors_section(const Content& content);
std::string curves_section(const Content& content);
std::string sentences_section(const Content& content);
std::string failures_section(const Content& content);
std::string runs_section(const Content& content);
std::string environment_section(const Content& content);
std::string reproduce_section(const Content& content);
std::string conventions_section(const Content& content);

/// What the page's script draws from: the lines of the curves and the factors that can colour them.
Json page_data(const Content& content);

}  // namespace attnlab::results::report
