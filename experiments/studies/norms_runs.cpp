#include "experiments/studies/norms_runs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/spec/plan.h"
#include "experiments/studies/cells.h"

namespace attnlab::studies {

namespace {

NormRun read_run(const std::filesystem::path& out, const results::CellRun& run, std::optional<double> target) {
  const std::filesystem::path folder = run_folder(out, run);
  NormRun read;
  read.seed = run.seed;
  const Json chance = read_probe(folder, "chance");
  if (chance.is_object()) read.unigram = number_of(chance.at("unigram_loss"));
  read.target = target.value_or(kReachedShare * read.unigram);
  const auto losses = validation_losses(folder);
  for (const auto& [step, loss] : losses) read.lowest = std::min(read.lowest, loss);
  read.ending = ending_of(run.record.status, losses, read.unigram);
  read.reached = first_step_below(losses, read.target);
  read.gradients = read_probe(folder, "gradients");
  return read;
}

}  // namespace

Ending ending_of(run_folder::Status status, const std::vector<std::pair<int64_t, double>>& losses, double unigram) {
  if (status == run_folder::Status::diverged) return Ending::diverged;
  if (status != run_folder::Status::completed) return Ending::pending;
  const bool learnt = std::any_of(losses.begin(), losses.end(),
                                  [&](const auto& validation) { return validation.second < kStuckShare * unigram; });
  return std::isfinite(unigram) && !learnt ? Ending::stuck : Ending::trains;
}

Counts count(const std::vector<NormRun>& runs) {
  Counts counts;
  for (const NormRun& run : runs) {
    switch (run.ending) {
      case Ending::trains:
        ++counts.trains;
        break;
      case Ending::stuck:
        ++counts.stuck;
        break;
      case Ending::diverged:
        ++counts.diverged;
        break;
      default:
        ++counts.pending;
    }
  }
  return counts;
}

std::string outcome_text(const Counts& counts) {
  if (counts.ended() == 0) return "-";
  std::string text = fmt::format("{}/{} train", counts.trains, counts.ended());
  if (counts.diverged > 0) text += fmt::format(", {} diverged", counts.diverged);
  if (counts.stuck > 0) text += fmt::format(", {} stuck", counts.stuck);
  return text;
}

SeedMeans gradient_curve(const std::vector<NormRun>& runs, const std::string& when, const std::string& stack,
                         const std::string& part) {
  SeedMeans curve;
  for (const NormRun& run : runs) {
    if (run.ending == Ending::pending || !run.gradients.is_object()) continue;
    for (const Json& measurement : run.gradients.at("measurements")) {
      if (measurement.at("when") != when) continue;
      for (const Json& layer : measurement.at("layers")) {
        if (layer.at("stack") == stack && layer.at("norms").contains(part))
          curve.add(layer.at("layer").get<double>() + 1, number_of(layer.at("norms").at(part)));
      }
    }
  }
  return curve;
}

NormCells read_cells(const std::filesystem::path& out, std::optional<double> target) {
  NormCells cells{results::summarize(results::collect(out)), {}};
  for (const results::Cell& cell : cells.summary.results.cells) {
    cells.runs.emplace_back();
    for (const results::CellRun& run : cell.runs) cells.runs.back().push_back(read_run(out, run, target));
  }
  return cells;
}

std::string rate_of(const Json& factors) {
  return spec::factor_text(factors.contains(kPeak) ? factors[kPeak] : factors.value(kFactor, Json()));
}

std::string warmup_of(const Json& factors) {
  return spec::factor_text(factors.value(kWarmup, Json()));
}

}  // namespace attnlab::studies
