// What an export holds, before anything is computed.

#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "experiments/inspection/writer.h"
#include "support/error.h"

namespace attnlab::inspection {

namespace {

using Json = nlohmann::ordered_json;

Json describe(const Tokens& tokens) {
  Json pieces = Json::array(), ids = Json::array(), special = Json::array(), words = Json::array();
  for (const Token& token : tokens) {
    pieces.push_back(token.piece);
    ids.push_back(token.id);
    special.push_back(token.special);
    words.push_back(token.word);
  }
  return {{"pieces", pieces}, {"ids", ids}, {"special", special}, {"words", words}};
}

std::string human(int64_t bytes) {
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  return mebibytes < 1024 ? fmt::format("{:.1f} MiB", mebibytes) : fmt::format("{:.2f} GiB", mebibytes / 1024);
}

}  // namespace

int64_t PlannedTensor::bytes() const {
  return std::accumulate(shape.begin(), shape.end(), static_cast<int64_t>(sizeof(float)), std::multiplies<>());
}

std::string tensor_name(int64_t sentence, AttentionKind kind, int64_t layer) {
  return fmt::format("sentence.{}.{}.layer.{}", sentence, to_string(kind), layer);
}

std::vector<PlannedTensor> planned_tensors(const ExportPlan& plan) {
  std::vector<PlannedTensor> tensors;
  for (const Sentence& sentence : plan.sentences) {
    for (const AttentionKind kind : plan.selection.kinds) {
      for (const int64_t layer : layers_of(plan.selection, kind, plan.model)) {
        tensors.push_back({tensor_name(sentence.id, kind, layer),
                           {static_cast<int64_t>(plan.selection.heads.size()),
                            static_cast<int64_t>(query_tokens(sentence, kind).size()),
                            static_cast<int64_t>(key_tokens(sentence, kind).size())}});
      }
    }
  }
  return tensors;
}

std::string describe_export(const ExportPlan& plan) {
  Json json;
  json["layout"] =
      "[heads, query, key]: rows are queries and sum to 1; probabilities before dropout, in evaluation mode; padding "
      "trimmed";
  json["rows"] = "encoder: source; decoder and cross: row t reads input[t] and predicts predicted[t]";
  json["about"] = plan.about;
  json["heads"] = plan.selection.heads;
  for (const Sentence& sentence : plan.sentences) {
    json["sentences"].push_back({{"id", sentence.id},
                                 {"source_text", sentence.source_text},
                                 {"target_text", sentence.target_text},
                                 {"source", describe(sentence.source)},
                                 {"input", describe(sentence.input)},
                                 {"predicted", describe(sentence.predicted)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

int64_t estimated_bytes(const ExportPlan& plan, const std::string& format) {
  int64_t weights = 0;
  for (const PlannedTensor& tensor : planned_tensors(plan))
    weights += tensor.bytes() / static_cast<int64_t>(sizeof(float));
  if (format == "csv") return 0;
  if (format == "bertviz") return weights * 9;
  if (format == "html") return weights * 8 / 3;
  return weights * 4;
}

void require_fitting(const ExportPlan& plan, const std::string& format, int64_t limit) {
  const int64_t bytes = estimated_bytes(plan, format);
  if (bytes <= limit) return;
  throw Error(
      fmt::format("{} of {} sentences would take about {}, more than the limit of {}: take fewer sentences (--limit), "
                  "kinds, layers "
                  "or heads, or raise --max-size (MiB)",
                  format, plan.sentences.size(), human(bytes), human(limit)));
}

}  // namespace attnlab::inspection
