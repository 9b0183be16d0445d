#include "experiments/studies/positions_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "experiments/page/figure.h"
#include "experiments/page/markup.h"
#include "experiments/results/cell_text.h"
#include "experiments/studies/cells.h"

namespace attnlab::studies {

namespace {

/// Positions of a picture of similarities.
constexpr size_t kMostDrawn = 48;

constexpr const char* kStandard = R"({
  "name": "positions",
  "description": "Position methods on equal terms: sequences of 2 to 10 symbols, to be written backwards; tested on up to 40.",
  "base": {
    "data": {"generator": "reverse", "train_pairs": 8000, "valid_pairs": 200, "test_pairs": 300, "symbols": 10,
             "min_length": 2, "max_length": 10, "max_pieces": 40},
    "tokenizer": {"type": "word", "vocab_size": 40},
    "model": {"d_model": 64, "heads": 4, "d_ff": 256, "layers": 2, "dropout": 0, "positions": {"max_length": 512}},
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
      "PE(p+k); the largest over k up to 32. 0: every offset is one linear map (section 3.5); above 1: none is. A "
      "learned table with few rows for each dimension gives larger numbers, up to the "
      "tens at 2D rows, which say nothing.",
      "eff. rank: exp of the entropy of the singular values of the encoder's table, over the rows that training "
      "reached; norm / token: mean length of those rows over that of an embedded token. - : nothing is added.",
      "shuffled: by how much the test loss (nats per token) rises when the source's pieces are shuffled; 0: the model "
      "does not use the order of the source.",
      "Pictures: extrapolation_accuracy.svg, extrapolation_exact.svg, position_loss.svg, offset_error.svg, "
      "similarity_*.svg; each run's probes/ has its own. docs/studies.md explains all of it."};
  return sentences;
}

/// Curves of one cell, averaged over its runs.
struct Curves {
  SeedMeans accuracy, exact, position_loss, offset_error;
};

Curves curves_of(const std::filesystem::path& out, const results::Cell& cell) {
  Curves curves;
  for (const results::CellRun& run : cell.runs) {
    const Json encodings = read_probe(run_folder(out, run), "encodings");
    if (encodings.is_object() && encodings.at("encoder").is_object()) {
      for (const Json& entry : encodings.at("encoder").at("offsets"))
        curves.offset_error.add(entry.at("offset"), number_of(entry.at("relative_error")));
    }
    const Json probe = read_probe(run_folder(out, run), "lengths");
    if (!probe.is_object()) continue;
    for (const Json& bucket : probe.at("by_source_length")) {
      curves.accuracy.add(bucket.at("most"), number_of(bucket.at("accuracy")));
      curves.exact.add(bucket.at("most"), number_of(bucket.at("scores").at("exact")));
    }
    // Positions past the training length are seen in the longer pairs only.
    const size_t known = probe.at("by_position").size();
    for (const Json& position : probe.at("by_position"))
      curves.position_loss.add(position.at("position"), number_of(position.at("loss")));
    for (size_t t = known; t < probe.at("by_position_longer").size(); ++t) {
      const Json& position = probe.at("by_position_longer").at(t);
      curves.position_loss.add(position.at("position"), number_of(position.at("loss")));
    }
  }
  return curves;
}

Json to_json(const SeedMeans& curve, const std::string& x) {
  Json list = Json::array();
  for (const auto& [at, value] : curve.points()) list.push_back({{x, at}, {"mean", value}});
  return list;
}

/// The pictures that have a curve for each cell.
class Charts {
 public:
  void add(const std::string& name, const Curves& curves) {
    accuracy_.series.push_back({name, curves.accuracy.points()});
    exact_.series.push_back({name, curves.exact.points()});
    loss_.series.push_back({name, curves.position_loss.points()});
    if (!curves.offset_error.points().empty()) offset_.series.push_back({name, curves.offset_error.points()});
  }

  std::vector<results::StudySection::Picture> pictures() const {
    std::vector<results::StudySection::Picture> all = {
        {"extrapolation_accuracy.svg", "Given the right beginning of the target; mean over seeds.",
         page::draw_chart(accuracy_)},
        {"extrapolation_exact.svg", "Decoded; mean over seeds.", page::draw_chart(exact_)},
        {"position_loss.svg", "Past L only longer pairs have such positions; mean over seeds.",
         page::draw_chart(loss_)}};
    if (!offset_.series.empty())
      all.push_back({"offset_error.svg",
                     "How far the best linear map from PE(p) to PE(p+k), fitted on even p, misses at odd p; encoder.",
                     page::draw_chart(offset_)});
    return all;
  }

 private:
  static constexpr const char* kRelativeLength = "source length / L (L: the longest in training)";
  page::Chart accuracy_{"Token accuracy by source length", kRelativeLength, "percent", false, {}};
  page::Chart exact_{"Exact sentences by source length", kRelativeLength, "percent", false, {}};
  page::Chart loss_{
      "Loss by target position (past L: of the longer pairs)", "target position", "nats per token", false, {}};
  page::Chart offset_{"Offset probe: is PE(p+k) a linear function of PE(p)?", "k", "relative error", true, {}};
};

/// The encoder's part of the probe `encodings`, of the first run whose method adds encodings; null if none does.
std::pair<int64_t, Json> first_encodings(const std::filesystem::path& out, const results::Cell& cell) {
  for (const results::CellRun& run : cell.runs) {
    const Json probe = read_probe(run_folder(out, run), "encodings");
    if (probe.is_object() && probe.at("encoder").is_object()) return {run.seed, probe.at("encoder")};
  }
  return {0, nullptr};
}

/// The beginning of the similarity matrix of each cell that adds encodings.
void add_similarities(const std::filesystem::path& out, const results::SweepResults& results,
                      std::vector<results::StudySection::Picture>& pictures) {
  for (const results::Cell& cell : results.cells) {
    const auto [seed, encodings] = first_encodings(out, cell);
    if (encodings.is_null()) continue;
    auto rows = encodings.at("cosine_similarity").get<std::vector<std::vector<double>>>();
    rows.resize(std::min(rows.size(), kMostDrawn));
    for (auto& row : rows) row.resize(std::min(row.size(), kMostDrawn));
    pictures.push_back(
        {fmt::format("similarity_{}.svg", page::file_name(cell_name(cell))),
         fmt::format("Cosine similarity of position encodings, encoder, seed {}: blue 1, orange −1.", seed),
         page::draw_heat_map({cell_name(cell), "position", "position", rows})});
  }
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

namespace {

StudyReport read_report(const std::filesystem::path& out) {
  const results::SweepSummary summary = results::summarize(results::collect(out));
  StudyReport report;
  results::TableLayout& layout = report.section.table;
  layout = main_columns(summary, "Positions: " + summary.results.name);
  for (const NumberColumn& column : number_columns()) layout.columns.push_back({column.header, results::Align::right});
  layout.legend.insert(layout.legend.end(), legend().begin(), legend().end());
  report.document = main_document(summary);
  report.document["study"] = "positions";
  Charts charts;
  for (size_t i = 0; i < summary.cells.size(); ++i) {
    for (const NumberColumn& column : number_columns()) {
      layout.rows[i].add(short_mean(column.metric, summary.cells[i]),
                         results::mean_of(column.metric, summary.cells[i]));
    }
    const results::Cell& of_results = summary.results.cells[i];
    const Curves curves = curves_of(out, of_results);
    charts.add(cell_name(of_results), curves);
    Json& cell = report.document["cells"][i];
    cell["accuracy_by_length"] = to_json(curves.accuracy, "most");
    cell["exact_by_length"] = to_json(curves.exact, "most");
    cell["loss_by_position"] = to_json(curves.position_loss, "position");
  }
  report.section.pictures = charts.pictures();
  add_similarities(out, summary.results, report.section.pictures);
  return report;
}

}  // namespace

StudyReport report_positions(const std::filesystem::path& out) {
  return of_sound_probes(out, [&] { return read_report(out); });
}

}  // namespace attnlab::studies
