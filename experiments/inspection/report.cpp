#include "experiments/inspection/report.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "experiments/inspection/pictures.h"
#include "support/files.h"
#include "support/number_text.h"

namespace attnlab::inspection {

namespace {

using Json = nlohmann::ordered_json;

Json address_json(const HeadAddress& head) {
  return {{"kind", to_string(head.kind)}, {"layer", head.layer}, {"head", head.head}};
}

Json head_json(const HeadSummary& head) {
  Json json = address_json(head.address);
  json["rows"] = head.rows;
  json["entropy"] = finite_or_null(head.entropy);
  json["relative_entropy"] = finite_or_null(head.relative_entropy);
  json["distance"] = finite_or_null(head.distance);
  json["confidence"] = finite_or_null(head.confidence);
  json["special_share"] = finite_or_null(head.special_share);
  json["peak"] = {
      {"previous", head.previous}, {"next", head.next}, {"same", head.same}, {"eos", head.eos}, {"bos", head.bos}};
  json["role"] = to_string(head.role);
  json["alignment_error_rate"] = finite_or_null(head.alignment_error_rate);
  json["coreference_accuracy"] = finite_or_null(head.coreference_accuracy);
  json["coreference_share"] = finite_or_null(head.coreference_share);
  json["importance"] = finite_or_null(head.importance);
  json["importance_in_layer"] = finite_or_null(head.importance_in_layer);
  json["loss_change"] = finite_or_null(head.loss_change);
  json["bleu_change"] = finite_or_null(head.bleu_change);
  return json;
}

Json pruning_json(const std::vector<PruningStep>& steps) {
  Json json = Json::array();
  for (const PruningStep& step : steps) {
    json.push_back({{"kept", step.kept},
                    {"removed", step.removed ? address_json(*step.removed) : Json()},
                    {"loss", finite_or_null(step.loss)},
                    {"bleu", finite_or_null(step.bleu)}});
  }
  return json;
}

Json matrix_json(const torch::Tensor& matrix) {
  Json rows = Json::array();
  for (int64_t i = 0; i < matrix.size(0); ++i) {
    Json row = Json::array();
    for (int64_t j = 0; j < matrix.size(1); ++j) row.push_back(std::round(matrix[i][j].item<double>() * 1e6) / 1e6);
    rows.push_back(row);
  }
  return rows;
}

std::string report_csv(const HeadReport& report) {
  std::string text = "kind,layer,head";
  for (const std::string& column : summary_columns()) text += "," + column;
  for (const HeadSummary& head : report.heads) {
    text += fmt::format("\n{},{},{}", to_string(head.address.kind), head.address.layer, head.address.head);
    for (const std::string& cell : summary_cells(head)) text += "," + cell;
  }
  return text + "\n";
}

std::map<HeadAddress, double> column(const HeadReport& report, std::optional<double> HeadSummary::*member) {
  std::map<HeadAddress, double> values;
  for (const HeadSummary& head : report.heads) {
    if (head.*member) values[head.address] = *(head.*member);
  }
  return values;
}

}  // namespace

std::string report_json(const HeadReport& report) {
  Json json;
  json["about"] = report.about;
  json["sentences"] = report.sentences;
  json["units"] = {{"entropy", "nats"},
                   {"distance", "positions"},
                   {"importance", "nats per target token"},
                   {"loss_change", "nats per target token"},
                   {"bleu_change", "BLEU points"},
                   {"jensen_shannon", "distance, 0 to 1"}};
  json["loss"] = finite_or_null(report.loss);
  json["heads"] = Json::array();
  for (const HeadSummary& head : report.heads) json["heads"].push_back(head_json(head));
  if (!report.layer_alignment.empty()) {
    Json& alignment = json["alignment"];
    alignment["sentences"] = report.aligned_sentences;
    alignment["left_out"] = report.unaligned_sentences;
    for (const auto& [layer, rate] : report.layer_alignment) {
      alignment["layer_means"].push_back({{"layer", layer}, {"alignment_error_rate", finite_or_null(rate)}});
    }
  }
  if (report.pronouns > 0) {
    Json& coreference = json["coreference"];
    coreference["pronouns"] = report.pronouns;
    for (const auto& [kind, chance] : report.coreference_chance)
      coreference["chance"][to_string(kind)] = finite_or_null(chance);
  }
  for (const auto& [kind, matrix] : report.jensen_shannon)
    json["jensen_shannon"][to_string(kind)] = matrix_json(matrix);
  if (!report.pruning.empty()) json["pruning"] = pruning_json(report.pruning);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> write_report(const std::filesystem::path& folder, const HeadReport& report) {
  std::vector<std::string> names;
  const auto write = [&](const std::string& name, const std::string& content) {
    write_file_atomically(folder / name, content);
    names.push_back(name);
  };
  write("heads.csv", report_csv(report));
  write("heads.json", report_json(report));
  if (const auto values = column(report, &HeadSummary::importance); !values.empty()) {
    write("importance.svg", draw_heads(values, "Importance of each head: mean |dL/dgate|, nats per token"));
  }
  if (const auto values = column(report, &HeadSummary::loss_change); !values.empty()) {
    write("loss_change.svg", draw_heads(values, "Loss without each head minus loss with it, nats per token"));
  }
  if (const auto values = column(report, &HeadSummary::bleu_change); !values.empty()) {
    write("bleu_change.svg", draw_heads(values, "BLEU without each head minus BLEU with it"));
  }
  if (!report.pruning.empty()) write("pruning.svg", draw_pruning(report.pruning));
  return names;
}

}  // namespace attnlab::inspection
