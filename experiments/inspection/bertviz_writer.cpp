// JSON in the shape of BertViz (Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model").

#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "experiments/inspection/atomic_stream.h"
#include "experiments/inspection/writer.h"

namespace attnlab::inspection {

namespace {

/// Appends a tensor of any rank as nested lists.
void append_lists(std::string& out, const float*& value, torch::IntArrayRef shape) {
  if (shape.empty()) {
    fmt::format_to(std::back_inserter(out), "{:.7g}", *value++);
    return;
  }
  out.push_back('[');
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i > 0) out.push_back(',');
    append_lists(out, value, shape.slice(1));
  }
  out.push_back(']');
}

std::string pieces_of(const Tokens& tokens) {
  nlohmann::json pieces = nlohmann::json::array();
  for (const Token& token : tokens) pieces.push_back(token.piece);
  return pieces.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class BertvizWriter : public AttentionWriter {
 public:
  explicit BertvizWriter(const std::filesystem::path& path) : stream_(path) {}

  void write(const Sentence& sentence, const KindMaps& part) override {
    const bool begins = part.kind != open_;
    if (begins) begin(sentence, part.kind);
    const torch::Tensor weights = part.weights.contiguous();
    const auto* value = weights.const_data_ptr<float>();
    for (size_t i = 0; i < part.layers.size(); ++i) {
      std::string layer = begins && i == 0 ? "[" : ",[";
      append_lists(layer, value, weights.sizes().slice(1));  // [heads, query, key]
      stream_.write(layer + "]");
    }
  }

  void end_sentence(const Sentence& sentence) override {
    if (!in_line_) begin_line(sentence);
    stream_.write(open_ ? "]}\n" : "}\n");
    open_.reset();
    in_line_ = false;
  }

  void finish() override { stream_.commit(); }

 private:
  void begin_line(const Sentence& sentence) {
    stream_.write(fmt::format("{{\"sentence\":{},\"encoder_tokens\":{},\"decoder_tokens\":{}", sentence.id,
                              pieces_of(sentence.source), pieces_of(sentence.input)));
    in_line_ = true;
  }

  void begin(const Sentence& sentence, AttentionKind kind) {
    if (!in_line_) begin_line(sentence);
    stream_.write(fmt::format("{},\"{}_attention\":[", open_ ? "]" : "", to_string(kind)));
    open_ = kind;
  }

  AtomicStream stream_;
  bool in_line_ = false;
  std::optional<AttentionKind> open_;  // the list that layers are added to
};

}  // namespace

std::unique_ptr<AttentionWriter> make_bertviz_writer(const std::filesystem::path& path, const ExportPlan&) {
  return std::make_unique<BertvizWriter>(path);
}

}  // namespace attnlab::inspection
