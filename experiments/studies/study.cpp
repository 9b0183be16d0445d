#include "experiments/studies/study.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "experiments/results/table.h"
#include "experiments/run_folder/metrics_log.h"
#include "experiments/spec/sweep_spec.h"
#include "experiments/sweep/own_files.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::studies {

namespace {

/// The spec that a study builds on, base and overrides inside.
spec::SweepSpec read_base(Json standard, const StudyOptions& options) {
  const spec::Overrides overrides{options.set, {}};
  if (!options.spec.empty()) return spec::read_sweep_spec(options.spec, overrides);
  return spec::parse_sweep_spec(std::move(standard), "the study", ".", overrides);
}

void refuse_own_axes(const spec::SweepSpec& sweep, const std::vector<StudyAxis>& axes, const std::string& where) {
  for (const StudyAxis& axis : axes) {
    for (const spec::Axis& own : sweep.axes) {
      if (std::find(own.keys.begin(), own.keys.end(), axis.key) != own.keys.end())
        throw Error(
            fmt::format("{} varies {} itself, which this study does; take it out of the spec, or use "
                        "`attnlab run`",
                        where, axis.key));
    }
  }
}

/// A key that is fixed for all runs would silently drop its axis.
void refuse_fixed_axes(const Json& document, const std::vector<StudyAxis>& axes, const std::string& where) {
  const spec::SweepSpec sweep = spec::parse_sweep_spec(document, where, ".");
  for (const StudyAxis& axis : axes) {
    const bool varied = std::any_of(sweep.axes.begin(), sweep.axes.end(),
                                    [&](const spec::Axis& own) { return own.keys.front() == axis.key; });
    if (!varied)
      throw Error(
          fmt::format("{}: {} is fixed by \"set\" (or --set), but this study varies it; take it out", where, axis.key));
  }
}

std::vector<std::string> with_probes(std::vector<std::string> names, const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

Json study_spec(Json standard, const StudyOptions& options, const std::vector<StudyAxis>& axes,
                const std::vector<std::string>& probes) {
  const std::string where = options.spec.empty() ? "the study" : options.spec;
  const spec::SweepSpec sweep = read_base(std::move(standard), options);
  refuse_own_axes(sweep, axes, where);
  Json document = sweep.document;
  Json grid = Json::object(), baseline = Json::object();
  for (const StudyAxis& axis : axes) {
    grid[axis.key] = axis.values;
    if (axis.is_baseline) baseline[axis.key] = axis.values.front();
  }
  if (document.contains("grid")) grid.update(document["grid"]);
  document["grid"] = grid;
  document["baseline"] = baseline;
  document["set"]["evaluation.probes"] = with_probes(sweep.base.evaluation.probes, probes);
  if (options.seeds > 0) {
    document["seeds"] = options.seeds;
    if (document.contains("base")) document["base"].erase("seed");
  }
  refuse_fixed_axes(document, axes, where);
  return document;
}

std::vector<Json> axis_of_names(const std::vector<std::string>& names, const std::vector<spec::Choice>& known,
                                const std::string& option, size_t least) {
  std::vector<std::string> all;
  for (const spec::Choice& choice : known) all.push_back(choice.name);
  std::vector<Json> values;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      const std::string near = spec::nearest(name, all);
      throw Error(fmt::format("{}: expected some of {}, got \"{}\"{}", option, spec::names_of(known), name,
                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
    }
    if (!seen.insert(name).second) throw Error(fmt::format("{}: \"{}\" stands twice; name it once", option, name));
    values.emplace_back(name);
  }
  if (values.size() < least)
    throw Error(fmt::format("{}: at least {} are needed for a comparison, got {}", option, least, values.size()));
  return values;
}

std::string StudyReport::text() const {
  std::string text = results::render_markdown(section.table);
  if (!section.findings.empty()) text += "\n";
  for (const std::string& sentence : section.findings) text += sentence + "\n";
  return text;
}

void write_study(const std::filesystem::path& out, const StudyReport& report) {
  sweep::OwnFiles files(out);
  files.write("comparison.json", report.document.dump(2) + "\n");
  files.write("comparison.md", report.text());
  for (const auto& picture : report.section.pictures) files.write(picture.file, picture.svg.document());
}

StudyReport of_sound_probes(const std::filesystem::path& out, const std::function<StudyReport()>& read) {
  try {
    return read();
  } catch (const Json::exception& problem) {
    throw Error(
        fmt::format("'{}': a file runs/*/*/probes/*.json is not as its run wrote it ({}); remove that "
                    "run's folder and start the study again, which runs it again",
                    out.string(), shape_problem(problem)));
  }
}

Json read_probe(const std::filesystem::path& run_folder, const std::string& name) {
  const auto path = run_folder / "probes" / (name + ".json");
  return std::filesystem::exists(path) ? read_json(path, "the probe of a run") : Json(nullptr);
}

std::vector<std::pair<int64_t, double>> validation_losses(const std::filesystem::path& run_folder) {
  std::vector<std::pair<int64_t, double>> losses;
  run_folder::read_metrics(run_folder, [&losses](const run_folder::MetricsEntry& entry) {
    if (entry.values.contains("valid_loss")) losses.emplace_back(entry.step, number_of(entry.values["valid_loss"]));
  });
  return losses;
}

std::optional<int64_t> first_step_below(const std::vector<std::pair<int64_t, double>>& losses, double target) {
  for (const auto& [step, loss] : losses) {
    if (loss <= target) return step;
  }
  return std::nullopt;
}

void SeedMeans::add(double x, double value) {
  if (!std::isfinite(value)) return;
  auto& [sum, count] = sums_[x];
  sum += value;
  ++count;
}

std::vector<std::pair<double, double>> SeedMeans::points() const {
  std::vector<std::pair<double, double>> points;
  for (const auto& [x, sum] : sums_) points.emplace_back(x, sum.first / sum.second);
  return points;
}

double number_of(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace attnlab::studies
