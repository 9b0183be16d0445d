#include "experiments/studies/norms_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "experiments/run_folder/configuration.h"
#include "experiments/spec/read.h"
#include "experiments/spec/sweep_spec.h"
#include "experiments/studies/cells.h"
#include "experiments/studies/norms_pictures.h"
#include "experiments/studies/norms_runs.h"
#include "support/error.h"
#include "support/number_text.h"

namespace attnlab::studies {

namespace {

constexpr const char* kStandard = R"({
  "name": "norms",
  "description": "Norm placement, warm-up and learning rate in a deep narrow model that copies sequences of 3 to 8 symbols.",
  "base": {
    "data": {"generator": "copy", "train_pairs": 4000, "valid_pairs": 100, "test_pairs": 100, "symbols": 10,
             "min_length": 3, "max_length": 8, "max_pieces": 32},
    "tokenizer": {"type": "word", "vocab_size": 40},
    "model": {"d_model": 64, "heads": 4, "d_ff": 256, "layers": 6, "dropout": 0},
    "training": {"steps": 500, "batch_tokens": 400, "schedule": {"type": "constant"}, "label_smoothing": 0,
                 "validate_every": 25, "evaluate": "best"},
    "decoding": {"beam": 1, "max_length_extra": 10}
  },
  "seeds": 3,
  "metric": {"name": "test.exact"}
})";

template <typename Value>
std::vector<Json> axis_of_numbers(const std::vector<Value>& numbers, const std::string& option) {
  std::vector<Json> values;
  for (const Value number : numbers) {
    const Json value = number;
    if (std::find(values.begin(), values.end(), value) != values.end())
      throw Error(fmt::format("{}: {} stands twice; name it once", option, number));
    values.push_back(value);
  }
  return values;
}

/// The key of the rate that the schedule of the spec has.
std::string rate_key(const StudyOptions& options) {
  const spec::Overrides overrides{options.set, {}};
  const spec::SweepSpec sweep =
      options.spec.empty() ? spec::parse_sweep_spec(parse_json(kStandard, "the study"), "the study", ".", overrides)
                           : spec::read_sweep_spec(options.spec, overrides);
  const std::string type = sweep.set.value("training.schedule.type", sweep.base.training.schedule.type);
  return type == "noam" ? kFactor : kPeak;
}

template <typename Value>
std::vector<Value> or_else(const std::vector<Value>& given, std::vector<Value> standard) {
  return given.empty() ? std::move(standard) : given;
}

/// "125, 150, -": the step of each seed.
std::string reached_text(const std::vector<NormRun>& runs) {
  std::string text;
  for (const NormRun& run : runs) {
    text += text.empty() ? "" : ", ";
    text += run.reached ? fmt::format("{}", *run.reached) : run.ending == Ending::pending ? "not run" : "-";
  }
  return text;
}

constexpr std::array<const char*, 5> kParts = {"self_attention", "cross_attention", "feed_forward", "norms", "w_2"};

Json gradients_json(const std::vector<NormRun>& runs) {
  Json all = Json::object();
  for (const char* when : {"start", "warm"}) {
    for (const char* stack : {"encoder", "decoder"}) {
      for (const char* part : kParts) {
        Json list = Json::array();
        for (const auto& [layer, norm] : gradient_curve(runs, when, stack, part).points())
          list.push_back({{"layer", layer}, {"mean", norm}});
        if (!list.empty()) all[when][stack][part] = list;
      }
    }
  }
  return all;
}

std::string gradient_text(const std::vector<NormRun>& runs, const std::string& when) {
  const auto points = gradient_curve(runs, when, "decoder", "w_2").points();
  if (points.empty()) return "-";
  return fmt::format("{:.3g} / {:.3g}", points.front().second, points.back().second);
}

/// Model and task in words: what a reader must know of "fails at rate 0.003".
std::string setting(const std::filesystem::path& out, const results::SweepResults& results) {
  for (const results::Cell& cell : results.cells) {
    for (const results::CellRun& run : cell.runs) {
      const auto folder = run_folder(out, run);
      if (!std::filesystem::exists(folder / "config.json")) continue;
      const spec::RunConfig config = attnlab::run_folder::read_configuration(folder);
      return fmt::format("{} + {} layers, d_model {}, {} steps of up to {} target tokens, schedule {}, data {}",
                         config.model.encoder_layers, config.model.decoder_layers, config.model.d_model,
                         config.training.steps, config.training.batch_tokens, config.training.schedule.type,
                         config.data.generator.empty() ? config.data.dir : config.data.generator);
    }
  }
  return "no run has begun";
}

/// Settings in which the first placement never trains without warm-up while another always does.
std::vector<std::string> findings(const NormCells& cells) {
  std::vector<std::string> sentences;
  const auto& all = cells.summary.results.cells;
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < all.size(); ++j) {
      Json here = all[i].factors, there = all[j].factors;
      if (!here.contains(kPlacement) || here[kPlacement] == there[kPlacement]) continue;
      const std::string from = here[kPlacement], to = there[kPlacement];
      here.erase(kPlacement);
      there.erase(kPlacement);
      const Counts fails = count(cells.runs[i]), works = count(cells.runs[j]);
      if (here != there || fails.ended() == 0 || fails.trains > 0 || works.ended() == 0 || works.trains < works.ended())
        continue;
      sentences.push_back(
          fmt::format("At rate {} with warm-up {}, {} fails in {} of {} runs ({} diverged, {} stuck) "
                      "and {} trains in {} of {}.",
                      rate_of(here), warmup_of(here), from, fails.ended(), fails.ended(), fails.diverged, fails.stuck,
                      to, works.trains, works.ended()));
    }
  }
  if (sentences.empty())
    sentences.emplace_back("In no setting does one placement fail in all runs while another trains in all.");
  return sentences;
}

std::vector<std::string> legend_of(const NormCells& cells) {
  double unigram = std::numeric_limits<double>::quiet_NaN(), target = unigram;
  for (const auto& runs : cells.runs) {
    for (const NormRun& run : runs) {
      if (std::isfinite(run.unigram)) unigram = run.unigram;
      if (std::isfinite(run.target)) target = run.target;
    }
  }
  return {
      fmt::format("outcome: diverged: loss or gradient not finite, or a loss above 100 ln V. stuck: the lowest "
                  "validation loss is at least {} of the unigram loss, {:.4f} nats, which a guess from the pieces' "
                  "frequencies reaches. train: all others.",
                  kStuckShare, unigram),
      fmt::format("loss <= {:.4f} at step: the first validation at which the validation loss is that low, by seed; - : "
                  "never.",
                  target),
      "W_2 gradient: L2 norm of the gradient of the decoder's first / last feed-forward W_2 (Xiong et al. 2020, figure "
      "3), at initialisation and after the warm-up; mean over runs, on one fixed batch without dropout.",
      "Pictures: outcomes.svg, gradients_start.svg, gradients_warm.svg. docs/studies.md explains all of it."};
}

std::string word_of(Ending ending) {
  switch (ending) {
    case Ending::diverged:
      return "diverged";
    case Ending::stuck:
      return "stuck";
    case Ending::trains:
      return "trains";
    default:
      return "pending";
  }
}

Json runs_json(const std::vector<NormRun>& runs) {
  Json list = Json::array();
  for (const NormRun& run : runs) {
    list.push_back({{"seed", run.seed},
                    {"outcome", word_of(run.ending)},
                    {"lowest_valid_loss", finite_or_null(run.lowest)},
                    {"unigram_loss", finite_or_null(run.unigram)},
                    {"target_loss", finite_or_null(run.target)},
                    {"reached_at_step", run.reached ? Json(*run.reached) : Json(nullptr)}});
  }
  return list;
}

}  // namespace

Json norms_spec(const NormsOptions& options) {
  std::vector<StudyAxis> axes = {
      {kPlacement,
       axis_of_names(or_else(options.placements, {"post", "pre"}), spec::norm_placements(), "--placements", 1), true}};
  if (!options.norms.empty())
    axes.push_back({kNorm, axis_of_names(options.norms, spec::norm_types(), "--norms", 1), true});
  axes.push_back({rate_key(options.study), axis_of_numbers(or_else(options.rates, {1e-3, 3e-3}), "--rates")});
  axes.push_back({kWarmup, axis_of_numbers(or_else(options.warmups, {int64_t{0}, int64_t{250}}), "--warmups")});
  Json document = study_spec(parse_json(kStandard, "the study"), options.study, axes, {"gradients", "chance"});
  document["on_divergence"] = "record";
  return document;
}

namespace {

StudyReport read_report(const std::filesystem::path& out, std::optional<double> target) {
  const NormCells cells = read_cells(out, target);
  StudyReport report;
  report.document = main_document(cells.summary);
  report.document["study"] = "norms";
  if (target) report.document["target"] = *target;
  report.document["setting"] = setting(out, cells.summary.results);
  report.section.findings = findings(cells);
  report.document["findings"] = report.section.findings;
  results::TableLayout& layout = report.section.table;
  layout = main_columns(cells.summary, "Norms: " + cells.summary.results.name);
  for (const char* header : {"outcome", "loss reached at step", "W_2 gradient at start", "after warm-up"})
    layout.columns.push_back({header, results::Align::left});
  for (size_t i = 0; i < cells.runs.size(); ++i) {
    const std::vector<NormRun>& runs = cells.runs[i];
    for (const std::string& text :
         {outcome_text(count(runs)), reached_text(runs), gradient_text(runs, "start"), gradient_text(runs, "warm")})
      layout.rows[i].texts.push_back(text);
    report.document["cells"][i]["runs"] = runs_json(runs);
    report.document["cells"][i]["gradients"] = gradients_json(runs);
  }
  const auto legend = legend_of(cells);
  layout.legend.insert(layout.legend.end(), legend.begin(), legend.end());
  layout.legend.push_back("Setting: " + report.document["setting"].get<std::string>() + ".");
  report.section.pictures = {
      {"outcomes.svg",
       "How many runs train at each learning rate and warm-up: blue, all; orange, none; grey, not run yet.",
       draw_outcome_map(cells)},
      {"gradients_start.svg", "Before the first step, mean over runs (Xiong et al. 2020, figure 3).",
       draw_gradients(cells, "start", "Gradient of W_2 at initialisation")},
      {"gradients_warm.svg", "When the warm-up is over, mean over runs.",
       draw_gradients(cells, "warm", "Gradient of W_2 after the warm-up")}};
  return report;
}

}  // namespace

StudyReport report_norms(const std::filesystem::path& out, std::optional<double> target) {
  return of_sound_probes(out, [&] { return read_report(out, target); });
}

}  // namespace attnlab::studies
