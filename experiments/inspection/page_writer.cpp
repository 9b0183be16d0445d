#include "experiments/inspection/page_writer.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "experiments/inspection/page_parts.h"
#include "experiments/page/frame.h"
#include "support/error.h"
#include "support/number_text.h"

namespace attnlab::inspection {

namespace {

using Json = nlohmann::ordered_json;

/// The only script that the page's policy lets run.
const std::string& page_script() {
  static const std::string script = page::closed_script(page_parts::script);
  return script;
}

Json tokens_json(const Tokens& tokens) {
  Json json = {{"pieces", Json::array()}, {"ids", Json::array()}, {"words", Json::array()}};
  for (const Token& token : tokens) {
    json["pieces"].push_back(token.piece);
    json["ids"].push_back(token.id);
    json["words"].push_back(token.word);
  }
  return json;
}

Json head_json(const HeadSummary& head) {
  return {{"kind", to_string(head.address.kind)},
          {"layer", head.address.layer},
          {"head", head.address.head},
          {"entropy", finite_or_null(head.entropy)},
          {"relative_entropy", finite_or_null(head.relative_entropy)},
          {"distance", finite_or_null(head.distance)},
          {"confidence", finite_or_null(head.confidence)},
          {"special_share", finite_or_null(head.special_share)},
          {"role", to_string(head.role)},
          {"alignment_error_rate", finite_or_null(head.alignment_error_rate)},
          {"coreference_accuracy", finite_or_null(head.coreference_accuracy)},
          {"importance", finite_or_null(head.importance)},
          {"loss_change", finite_or_null(head.loss_change)},
          {"bleu_change", finite_or_null(head.bleu_change)}};
}

Json kinds_json(const ExportPlan& plan) {
  Json kinds = Json::object();
  for (const AttentionKind kind : plan.selection.kinds) {
    const auto layers = layers_of(plan.selection, kind, plan.model);
    if (!layers.empty()) kinds[to_string(kind)] = {{"layers", layers}, {"heads", plan.selection.heads}};
  }
  return kinds;
}

Json sentences_json(const ExportPlan& plan) {
  Json sentences = Json::array();
  for (const Sentence& sentence : plan.sentences) {
    sentences.push_back({{"source_text", sentence.source_text},
                         {"target_text", sentence.target_text},
                         {"source", tokens_json(sentence.source)},
                         {"input", tokens_json(sentence.input)},
                         {"predicted", tokens_json(sentence.predicted)}});
  }
  return sentences;
}

}  // namespace

std::string sixteen_bits(const torch::Tensor& weights) {
  const torch::Tensor flat = weights.to(torch::kCPU, torch::kFloat).clamp(0, 1).contiguous();
  const auto* value = flat.const_data_ptr<float>();
  std::string bytes;
  bytes.reserve(static_cast<size_t>(flat.numel()) * 2);
  for (int64_t i = 0; i < flat.numel(); ++i) {
    const auto step = static_cast<uint32_t>(std::lround(static_cast<double>(value[i]) * 65535));
    bytes.push_back(static_cast<char>(step & 0xFF));
    bytes.push_back(static_cast<char>(step >> 8));
  }
  return bytes;
}

PageWriter::PageWriter(const std::filesystem::path& path, const std::string& title) : stream_(path), title_(title) {
  stream_.write(page::head("Attention · " + title, "\n" + page::joined(page_parts::style), page_script()) +
                page::joined(page_parts::markup));
}

void PageWriter::begin_run(const std::string& name, const ExportPlan& plan) {
  runs_.push_back({name, {}, plan, {}});
  summary_ = SummaryBuilder();
  next_sentence_ = 0;
}

void PageWriter::write(const Sentence& sentence, const KindMaps& part) {
  if (runs_.empty()) throw Error("the page got weights before it was told of their run");
  if (open_ != part.kind) {
    close_weights();
    open_ = part.kind;
    stream_.write(fmt::format("<script type=\"text/plain\" id=\"w-{}-{}-{}\">", runs_.size() - 1, next_sentence_,
                              to_string(part.kind)));
  }
  rest_ += sixteen_bits(part.weights);
  const size_t whole = rest_.size() / 3 * 3;
  stream_.write(page::base64(std::string_view(rest_).substr(0, whole)));
  rest_.erase(0, whole);
  summary_.add(sentence, part);
}

void PageWriter::end_sentence(const Sentence&) {
  close_weights();
  ++next_sentence_;
}

void PageWriter::close_weights() {
  if (!open_) return;
  stream_.write(page::base64(std::exchange(rest_, {})) + "</script>\n");
  open_.reset();
}

void PageWriter::end_run(std::vector<HeadSummary> heads, std::string note) {
  Run& run = runs_.back();
  run.note = heads.empty() ? fmt::format("Numbers over {} sentence{} of this page", next_sentence_,
                                         next_sentence_ == 1 ? "" : "s")
                           : std::move(note);
  run.heads = heads.empty() ? summary_.result() : std::move(heads);
}

void PageWriter::finish() {
  Json data;
  data["title"] = title_;
  data["facts"] = fmt::format(
      "Weights are probabilities before dropout, in evaluation mode, rounded to 16 bits (error at most {:.6f}). This "
      "file is complete: it loads "
      "nothing. File: about {:.2f} MiB.",
      kPageError, static_cast<double>(stream_.size()) / (1 << 20));
  for (const Run& run : runs_) {
    const auto& sentences = run.plan.sentences;
    bool same = sentences.size() == runs_.front().plan.sentences.size();
    for (size_t i = 0; same && i < sentences.size(); ++i)
      same = sentences[i].source_text == runs_.front().plan.sentences[i].source_text;
    if (!same)
      throw Error(fmt::format(
          "the runs '{}' and '{}' were given different sources; they can be compared only on the same sentences",
          runs_.front().name, run.name));
    Json heads = Json::array();
    for (const HeadSummary& head : run.heads) heads.push_back(head_json(head));
    data["runs"].push_back({{"name", run.name},
                            {"note", run.note},
                            {"about", run.plan.about},
                            {"kinds", kinds_json(run.plan)},
                            {"heads", heads},
                            {"sentences", sentences_json(run.plan)}});
  }
  stream_.write(page::tail(data.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace), page_script()));
  stream_.commit();
}

}  // namespace attnlab::inspection
