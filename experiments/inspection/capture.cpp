#include "experiments/inspection/capture.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "experiments/data/tensors.h"
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

using Sentences = std::span<const Sentence>;

/// Sentences padded together, on the model's device.
data::BatchTensors tensors_of(Sentences sentences, const modules::Transformer& model) {
  std::vector<data::EncodedPair> pairs;
  for (const Sentence& sentence : sentences) pairs.push_back(encoded(sentence));
  const int32_t bos = sentences.front().input.front().id;
  return data::to_tensors(data::make_batch(pairs, /*pad=*/0, bos), model->parameters().front().device());
}

/// One pass for several sentences, whose weights are held.
void capture_batch(modules::Transformer& model, Sentences sentences, const Selection& selection, MapsSink& sink) {
  const data::BatchTensors batch = tensors_of(sentences, model);
  BatchRecorder recorder(selection, model->options());
  modules::Context context;
  context.recorder = &recorder;
  const auto memory = model->encode(batch.source, batch.source_lengths, context);
  model->decode(batch.target_input, batch.target_lengths, memory, context);
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
  const data::BatchTensors batch = tensors_of({&sentence, 1}, model);
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
       [&](modules::Context& context) { memory = model->encode(batch.source, batch.source_lengths, context); });
  for (const AttentionKind kind : {AttentionKind::decoder, AttentionKind::cross}) {
    pass(kind,
         [&](modules::Context& context) { model->decode(batch.target_input, batch.target_lengths, memory, context); });
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
