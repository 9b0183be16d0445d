// JSON in the shape of BertViz (Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model").

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

  void write(const SentenceMaps& maps) override {
    std::string line = fmt::format("{{\"sentence\":{},\"encoder_tokens\":{},\"decoder_tokens\":{}", maps.sentence.id,
                                   pieces_of(maps.sentence.source), pieces_of(maps.sentence.input));
    for (const KindMaps& kind : maps.kinds) {
      const torch::Tensor weights = kind.weights.unsqueeze(1).contiguous();  // [layers, 1, heads, query, key]
      line += fmt::format(",\"{}_attention\":", to_string(kind.kind));
      const auto* value = weights.const_data_ptr<float>();
      append_lists(line, value, weights.sizes());
    }
    stream_.write(line + "}\n");
  }

  void finish() override { stream_.commit(); }

 private:
  AtomicStream stream_;
};

}  // namespace

std::unique_ptr<AttentionWriter> make_bertviz_writer(const std::filesystem::path& path, const ExportPlan&) {
  return std::make_unique<BertvizWriter>(path);
}

}  // namespace attnlab::inspection
