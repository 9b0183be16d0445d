#include "experiments/inspection/capture.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "experiments/inspection/sentence.h"
#include "modules/evaluation_mode.h"
#include "support/error.h"

namespace attnlab::inspection {

namespace {

using Layers = std::vector<int64_t>;

[[noreturn]] void refuse_missing(AttentionKind kind, int64_t layer) {
  throw Error(fmt::format("the model gave no weights of {} layer {}", to_string(kind), layer));
}

/// The chosen heads of what a layer recorded: [B, heads, Tq, Tk] float32 on the CPU.
torch::Tensor chosen_heads(const torch::Tensor& weights, const std::vector<int64_t>& heads) {
  return weights.index_select(1, torch::tensor(heads, torch::kInt64).to(weights.device()))
      .to(torch::kCPU, torch::kFloat);
}

/// Keeps the chosen layers and heads of one batch.
class BatchRecorder : public modules::AttentionRecorder {
 public:
  BatchRecorder(const Selection& selection, const modules::TransformerOptions& model) : heads_(selection.heads) {
    for (const AttentionKind kind : selection.kinds) {
      for (const int64_t layer : layers_of(selection, kind, model)) maps_[{kind, layer}] = torch::Tensor();
    }
  }

  void record(AttentionKind kind, int64_t layer, const torch::Tensor& weights) override {
    const auto found = maps_.find({kind, layer});
    if (found != maps_.end()) found->second = chosen_heads(weights, heads_);
  }

  /// The weights of row `row` of the batch without its padding.
  KindMaps row(AttentionKind kind, const Layers& layers, int64_t row, int64_t queries, int64_t keys) const {
    std::vector<torch::Tensor> chosen;
    for (const int64_t layer : layers) {
      const torch::Tensor& weights = maps_.at({kind, layer});
      if (!weights.defined()) refuse_missing(kind, layer);
      chosen.push_back(weights[row].narrow(1, 0, queries).narrow(2, 0, keys));
    }
    return {kind, layers, heads_, torch::stack(chosen).contiguous()};
  }

 private:
  std::vector<int64_t> heads_;
  std::map<std::pair<AttentionKind, int64_t>, torch::Tensor> maps_;
};

/// Hands the layers of one kind of one sentence on as the model computes them.
class LayerStream : public modules::AttentionRecorder {
 public:
  LayerStream(const Sentence& sentence, AttentionKind kind, Layers layers, const Selection& selection, MapsSink& sink)
      : sentence_(sentence), kind_(kind), layers_(std::move(layers)), heads_(selection.heads), sink_(sink) {}

  void record(AttentionKind kind, int64_t layer, const torch::Tensor& weights) override {
    if (kind != kind_ || next_ == layers_.size() || layer != layers_[next_]) return;
    ++next_;
    sink_.write(sentence_, {kind, {layer}, heads_, chosen_heads(weights, heads_).contiguous()});
  }

  void require_all() const {
    if (next_ < layers_.size()) refuse_missing(kind_, layers_[next_]);
  }

 private:
  const Sentence& sentence_;
  AttentionKind kind_;
  Layers layers_;
  std::vector<int64_t> heads_;
  MapsSink& sink_;
  size_t next_ = 0;
};

Selection with_everything_named(Selection selection, const modules::TransformerOptions& model) {
  if (selection.kinds.empty()) selection.kinds = kAllKinds;
  if (selection.heads.empty()) {
    for (int64_t head = 0; head < model.heads; ++head) selection.heads.push_back(head);
  }
  return selection;
}

/// Rows padded on the right with 0 (the value of padded ids does not matter) and their lengths.
struct Padded {
  torch::Tensor ids, lengths;
};
Padded pad(const std::vector<const Tokens*>& rows, torch::Device device) {
  size_t width = 0;
  std::vector<int64_t> lengths;
  for (const Tokens* row : rows) {
    width = std::max(width, row->size());
    lengths.push_back(static_cast<int64_t>(row->size()));
  }
  torch::Tensor ids = torch::zeros({static_cast<int64_t>(rows.size()), static_cast<int64_t>(width)}, torch::kInt64);
  auto* place = ids.mutable_data_ptr<int64_t>();
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t i = 0; i < rows[r]->size(); ++i) place[r * width + i] = (*rows[r])[i].id;
  }
  return {ids.to(device), torch::tensor(lengths, torch::kInt64).to(device)};
}

using Sentences = std::span<const Sentence>;

/// One pass for several sentences, whose weights are held.
void capture_batch(modules::Transformer& model, Sentences sentences, const Selection& selection, MapsSink& sink) {
  const torch::Device device = model->parameters().front().device();
  std::vector<const Tokens*> sources, inputs;
  for (const Sentence& sentence : sentences) {
    sources.push_back(&sentence.source);
    inputs.push_back(&sentence.input);
  }
  const Padded source = pad(sources, device), input = pad(inputs, device);
  BatchRecorder recorder(selection, model->options());
  modules::Context context;
  context.recorder = &recorder;
  const auto memory = model->encode(source.ids, source.lengths, context);
  model->decode(input.ids, input.lengths, memory, context);
  for (size_t i = 0; i < sentences.size(); ++i) {
    for (const AttentionKind kind : selection.kinds) {
      const Layers layers = layers_of(selection, kind, model->options());
      if (layers.empty()) continue;
      sink.write(sentences[i], recorder.row(kind, layers, static_cast<int64_t>(i),
                                            static_cast<int64_t>(query_tokens(sentences[i], kind).size()),
                                            static_cast<int64_t>(key_tokens(sentences[i], kind).size())));
    }
    sink.end_sentence(sentences[i]);
  }
}

/// One sentence, a layer at a time. The two kinds of a decoder's layers come by turns, but a sink gets one after the
/// other: so the decoder runs once for each.
void capture_by_layer(modules::Transformer& model, const Sentence& sentence, const Selection& selection,
                      MapsSink& sink) {
  const torch::Device device = model->parameters().front().device();
  const Padded source = pad({&sentence.source}, device), input = pad({&sentence.input}, device);
  const auto pass = [&](AttentionKind kind, const auto& run) {
    const bool chosen = std::find(selection.kinds.begin(), selection.kinds.end(), kind) != selection.kinds.end();
    const Layers layers = chosen ? layers_of(selection, kind, model->options()) : Layers();
    if (layers.empty() && kind != AttentionKind::encoder) return;  // the encoder's states are needed all the same
    LayerStream stream(sentence, kind, layers, selection, sink);
    modules::Context context;
    context.recorder = &stream;
    run(context);
    stream.require_all();
  };
  modules::Memory memory;
  pass(AttentionKind::encoder,
       [&](modules::Context& context) { memory = model->encode(source.ids, source.lengths, context); });
  for (const AttentionKind kind : {AttentionKind::decoder, AttentionKind::cross}) {
    pass(kind, [&](modules::Context& context) { model->decode(input.ids, input.lengths, memory, context); });
  }
  sink.end_sentence(sentence);
}

/// Puts the parts of a sentence together.
class WholeSentences : public MapsSink {
 public:
  explicit WholeSentences(const std::function<void(const SentenceMaps&)>& look) : look_(look) {}

  void write(const Sentence&, const KindMaps& part) override {
    if (kinds_.empty() || kinds_.back().kind != part.kind) {
      kinds_.push_back({part.kind, {}, part.heads, {}});
      weights_.emplace_back();
    }
    kinds_.back().layers.insert(kinds_.back().layers.end(), part.layers.begin(), part.layers.end());
    weights_.back().push_back(part.weights);
  }

  void end_sentence(const Sentence& sentence) override {
    for (size_t i = 0; i < kinds_.size(); ++i) kinds_[i].weights = torch::cat(weights_[i]);
    weights_.clear();
    look_({sentence, std::exchange(kinds_, {})});
  }

 private:
  const std::function<void(const SentenceMaps&)>& look_;
  std::vector<KindMaps> kinds_;
  std::vector<std::vector<torch::Tensor>> weights_;
};

}  // namespace

int64_t weight_bytes(const Sentence& sentence, const Selection& selection, const modules::TransformerOptions& model) {
  const Selection all = with_everything_named(selection, model);
  int64_t count = 0;
  for (const AttentionKind kind : all.kinds) {
    count += static_cast<int64_t>(layers_of(all, kind, model).size() * all.heads.size() *
                                  query_tokens(sentence, kind).size() * key_tokens(sentence, kind).size());
  }
  return count * static_cast<int64_t>(sizeof(float));
}

void capture(modules::Transformer& model, const std::vector<Sentence>& sentences, const Selection& selection,
             MapsSink& sink, int64_t batch_bytes) {
  const Selection all = with_everything_named(selection, model->options());
  const modules::EvaluationMode evaluation(*model);
  const torch::NoGradGuard no_grad;
  size_t first = 0;
  while (first < sentences.size()) {
    // Padding makes every row of a batch as large as its largest.
    int64_t largest = weight_bytes(sentences[first], all, model->options());
    if (largest > batch_bytes) {
      capture_by_layer(model, sentences[first++], all, sink);
      continue;
    }
    size_t end = first + 1;
    for (; end < sentences.size() && end - first < 64; ++end) {
      largest = std::max(largest, weight_bytes(sentences[end], all, model->options()));
      if (largest * static_cast<int64_t>(end - first + 1) > batch_bytes) break;
    }
    capture_batch(model, Sentences(sentences).subspan(first, end - first), all, sink);
    first = end;
  }
}

void capture(modules::Transformer& model, const std::vector<Sentence>& sentences, const Selection& selection,
             const std::function<void(const SentenceMaps&)>& look, int64_t batch_bytes) {
  WholeSentences whole(look);
  capture(model, sentences, selection, whole, batch_bytes);
}

}  // namespace attnlab::inspection
