#include "experiments/studies/positions_study.h"

#include "experiments/probes/figure.h"
#include "experiments/results/summary.h"
#include "experiments/results/table.h"
#include "experiments/studies/cells.h"

namespace attnlab::studies {

namespace {

constexpr const char* kStandard = R"({
  "name": "positions",
  "description": "Position methods on equal terms: sequences of 2 to 10 symbols, to be written backwards; tested on up to 40.",
  "base": {
    "data": {"generator": "reverse", "train_pairs": 8000, "valid_pairs": 200, "test_pairs": 300, "symbols": 10,
             "min_length": 2, "max_length": 10, "max_pieces": 40},
    "tokenizer": {"type": "word", "vocab_size": 40},
    "model": {"d_model": 64, "heads": 4, "d_ff": 256, "layers": 2, "dropout": 0, "positions": {"max_length": 128}},
    "training": {"steps": 800, "batch_tokens": 500, "schedule": {"type": "inverse_sqrt", "peak": 3e-3, "warmup": 80},
                 "label_smoothing": 0, "clip_norm": 1.0, "validate_every": 200, "evaluate": "best"},
    "decoding": {"beam": 1, "max_length_extra": 10}
  },
  "seeds": 5,
  "metric": {"name": "test.exact"}
})";

struct NumberColumn {
  std::string metric, header;
};

/// Numbers of the probes, in this order.
const std::vector<NumberColumn>& number_columns() {
  static const std::vector<NumberColumn> columns = {
      {"lengths.within.exact", "exact % to L"},   {"lengths.to_2x.exact", "to 2L"},
      {"lengths.to_4x.exact", "to 4L"},           {"lengths.within.accuracy", "token acc % to L"},
      {"lengths.to_2x.accuracy", "to 2L"},        {"lengths.to_4x.accuracy", "to 4L"},
      {"encodings.offset_error", "offset error"}, {"encodings.effective_rank", "eff. rank"},
      {"encodings.norm_ratio", "norm / token"},   {"encodings.shuffle_loss_rise", "shuffled: loss +"}};
  return columns;
}

const std::vector<std::string>& legend() {
  static const std::vector<std::string> sentences = {
      "L: the longest training source. to L, to 2L, to 4L: sources up to L, longer ones up to twice, and up to four "
      "times as long; exact % are whole sentences, token acc % pieces after the right beginning.",
      "offset error: how far the best linear map from PE(p) to PE(p+k), fitted on even p, misses at odd p, relative to "
      "PE(p+k); the largest over k up to 32. 0: every offset is one linear map (section 3.5); above 1: none is.",
      "eff. rank: exp of the entropy of the singular values of the encoder's table, over the rows that training "
      "reached; norm / token: mean length of those rows over that of an embedded token. - : nothing is added.",
      "shuffled: by how much the test loss (nats per token) rises when the source's pieces are shuffled; 0: the model "
      "does not use the order of the source.",
      "Pictures: extrapolation_accuracy.svg, extrapolation_exact.svg, position_loss.svg; each run's probes/ has its "
      "own. docs/studies.md explains all of it."};
  return sentences;
}

/// Curves of one cell, averaged over its runs.
struct Curves {
  MeanCurve accuracy, exact, position_loss;
};

Curves curves_of(const std::filesystem::path& out, const results::Cell& cell) {
  Curves curves;
  for (const results::CellRun& run : cell.runs) {
    const Json probe = read_probe(run_folder(out, run), "lengths");
    if (!probe.is_object()) continue;
    for (const Json& bucket : probe["by_source_length"]) {
      curves.accuracy.add(bucket["most"], number_of(bucket["accuracy"]));
      curves.exact.add(bucket["most"], number_of(bucket["scores"]["exact"]));
    }
    // Positions past the training length are seen in the longer pairs only.
    const size_t known = probe["by_position"].size();
    for (const Json& position : probe["by_position"])
      curves.position_loss.add(position["position"], number_of(position["loss"]));
    for (size_t t = known; t < probe["by_position_longer"].size(); ++t) {
      const Json& position = probe["by_position_longer"][t];
      curves.position_loss.add(position["position"], number_of(position["loss"]));
    }
  }
  return curves;
}

Json to_json(const MeanCurve& curve, const std::string& x) {
  Json list = Json::array();
  for (const auto& [at, value] : curve.points()) list.push_back({{x, at}, {"mean", value}});
  return list;
}

}  // namespace

const std::vector<std::string>& standard_methods() {
  static const std::vector<std::string> methods = {"sinusoidal", "learned", "rotary", "alibi", "none"};
  return methods;
}

Json positions_spec(const StudyOptions& options, const std::vector<std::string>& methods) {
  const StudyAxis axis{"model.positions.type", axis_of_names(methods, spec::position_types(), "--methods", 2), true};
  return study_spec(parse_json(kStandard, "the study"), options, {axis}, {"lengths", "encodings"});
}

StudyReport report_positions(const std::filesystem::path& out) {
  const results::SweepSummary summary = results::summarize(results::collect(out));
  StudyReport report;
  results::TableLayout layout = main_columns(summary, "Positions: " + summary.results.name);
  for (const NumberColumn& column : number_columns()) layout.columns.push_back({column.header, results::Align::right});
  probes::Chart accuracy{
      "Token accuracy by source length", "source length / L (L: the longest in training)", "percent", false, {}};
  probes::Chart exact = accuracy, loss = accuracy;
  exact.title = "Exact sentences by source length";
  loss.title = "Loss by target position (past L: of the longer pairs)";
  loss.x_label = "target position";
  loss.y_label = "nats per token";

  report.document = main_document(summary);
  for (size_t i = 0; i < summary.cells.size(); ++i) {
    for (const NumberColumn& column : number_columns())
      layout.rows[i].texts.push_back(mean_text(summary.cells[i], column.metric));
    const Curves curves = curves_of(out, summary.results.cells[i]);
    const std::string name = cell_name(summary.results.cells[i]);
    accuracy.series.push_back({name, curves.accuracy.points()});
    exact.series.push_back({name, curves.exact.points()});
    loss.series.push_back({name, curves.position_loss.points()});
    Json& cell = report.document["cells"][i];
    cell["accuracy_by_length"] = to_json(curves.accuracy, "most");
    cell["exact_by_length"] = to_json(curves.exact, "most");
    cell["loss_by_position"] = to_json(curves.position_loss, "position");
  }
  layout.legend.insert(layout.legend.end(), legend().begin(), legend().end());
  report.text = results::render_markdown(layout);
  report.pictures = {{"extrapolation_accuracy.svg", probes::draw_chart(accuracy)},
                     {"extrapolation_exact.svg", probes::draw_chart(exact)},
                     {"position_loss.svg", probes::draw_chart(loss)}};
  return report;
}

}  // namespace attnlab::studies
