#include "tests/experiments/inspection/toy.h"

#include <cmath>

#include <fmt/format.h>

namespace attnlab::inspection::toy {

Sentence sentence(int64_t id, int64_t source_pieces, int64_t target_pieces) {
  Sentence made;
  made.id = id;
  made.source_text = fmt::format("source {}", id);
  made.target_text = fmt::format("target {}", id);
  for (int64_t i = 0; i < source_pieces; ++i)
    made.source.push_back({fmt::format("▁s{}", i), static_cast<int32_t>(10 + i), false, i});
  made.source.push_back({"</s>", 3, true, -1});
  for (int64_t i = 0; i < target_pieces; ++i)
    made.predicted.push_back({fmt::format("▁t{}", i), static_cast<int32_t>(30 + i), false, i});
  made.input = made.predicted;
  made.input.insert(made.input.begin(), Token{"<s>", 2, true, -1});
  made.predicted.push_back({"</s>", 3, true, -1});
  return made;
}

modules::TransformerOptions options() {
  modules::TransformerOptions options;
  options.d_model = 16;
  options.heads = 4;
  options.d_ff = 32;
  options.encoder_layers = options.decoder_layers = 2;
  options.source_vocab = options.target_vocab = 60;
  return options;
}

modules::Transformer model(const modules::TransformerOptions& options) {
  modules::Transformer model(options);
  model->reset_parameters(5);
  model->eval();
  return model;
}

modules::Transformer looks_at_neighbours() {
  modules::TransformerOptions options;
  options.d_model = 64;
  options.heads = 2;
  options.d_ff = 8;
  options.encoder_layers = options.decoder_layers = 1;
  options.source_vocab = options.target_vocab = 60;
  modules::Transformer made = model(options);
  const torch::NoGradGuard no_grad;
  auto parameters = made->named_parameters();
  parameters["source_embedding"].zero_();
  torch::Tensor& w_q = parameters["encoder.layers.0.self_attention.w_q"];
  torch::Tensor& w_k = parameters["encoder.layers.0.self_attention.w_k"];
  w_q.zero_();
  w_k.zero_();
  constexpr int64_t width = 32;  // of a head: the 16 fastest sinusoids
  constexpr double sharpness = 400;
  for (int64_t head = 0; head < 2; ++head) {
    const double turn = head == 0 ? -1 : 1;  // positions
    for (int64_t pair = 0; pair < width / 2; ++pair) {
      const double angle = turn * std::pow(10000.0, -2.0 * static_cast<double>(pair) / 64.0);
      const int64_t row = head * width + 2 * pair, column = 2 * pair;
      w_q[row][column] = std::cos(angle);
      w_q[row][column + 1] = std::sin(angle);
      w_q[row + 1][column] = -std::sin(angle);
      w_q[row + 1][column + 1] = std::cos(angle);
      w_k[row][column] = sharpness;
      w_k[row + 1][column + 1] = sharpness;
    }
  }
  return made;
}

ExportPlan plan(std::vector<Sentence> sentences, const modules::TransformerOptions& options) {
  return {std::move(sentences), parse_selection("all", "all", "all", options), options, {{"run", "toy"}}};
}

void write(MapsSink& sink, const SentenceMaps& maps) {
  for (const KindMaps& kind : maps.kinds) sink.write(maps.sentence, kind);
  sink.end_sentence(maps.sentence);
}

KindMaps maps(AttentionKind kind, const torch::Tensor& matrix) {
  return {kind, {0}, {0}, matrix.to(torch::kFloat).unsqueeze(0).unsqueeze(0)};
}

}  // namespace attnlab::inspection::toy
