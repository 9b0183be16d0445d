#include "experiments/inspection/capture.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "experiments/inspection/sentence.h"
#include "modules/evaluation_mode.h"
#include "support/error.h"

namespace attnlab::inspection {

namespace {

/// Keeps the chosen layers and heads of one batch on the CPU.
class Recorder : public modules::AttentionRecorder {
 public:
  Recorder(const Selection& selection, const modules::TransformerOptions& model) : heads_(selection.heads) {
    for (const AttentionKind kind : selection.kinds) {
      for (const int64_t layer : layers_of(selection, kind, model)) maps_[{kind, layer}] = torch::Tensor();
    }
  }

  void record(AttentionKind kind, int64_t layer, const torch::Tensor& weights) override {
    const auto found = maps_.find({kind, layer});
    if (found == maps_.end()) return;
    const auto heads = torch::tensor(heads_, torch::kInt64).to(weights.device());
    found->second = weights.index_select(1, heads).to(torch::kCPU, torch::kFloat);  // [B, heads, Tq, Tk]
  }

  /// The weights of row `row` of the batch without its padding.
  KindMaps row(AttentionKind kind, const std::vector<int64_t>& layers, int64_t row, int64_t queries,
               int64_t keys) const {
    std::vector<torch::Tensor> chosen;
    for (const int64_t layer : layers) {
      const torch::Tensor& weights = maps_.at({kind, layer});
      if (!weights.defined())
        throw Error(fmt::format("the model gave no weights of {} layer {}", to_string(kind), layer));
      chosen.push_back(weights[row].narrow(1, 0, queries).narrow(2, 0, keys));
    }
    return {kind, layers, heads_, torch::stack(chosen).contiguous()};
  }

 private:
  std::vector<int64_t> heads_;
  std::map<std::pair<AttentionKind, int64_t>, torch::Tensor> maps_;
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

void capture_batch(modules::Transformer& model, const std::vector<Sentence>& sentences, size_t first, size_t end,
                   const Selection& selection, const MapsSink& sink) {
  const torch::Device device = model->parameters().front().device();
  std::vector<const Tokens*> sources, inputs;
  for (size_t i = first; i < end; ++i) {
    sources.push_back(&sentences[i].source);
    inputs.push_back(&sentences[i].input);
  }
  const Padded source = pad(sources, device), input = pad(inputs, device);
  Recorder recorder(selection, model->options());
  modules::Context context;
  context.recorder = &recorder;
  const auto memory = model->encode(source.ids, source.lengths, context);
  model->decode(input.ids, input.lengths, memory, context);
  for (size_t i = first; i < end; ++i) {
    SentenceMaps maps{sentences[i], {}};
    for (const AttentionKind kind : selection.kinds) {
      const auto layers = layers_of(selection, kind, model->options());
      if (layers.empty()) continue;
      maps.kinds.push_back(recorder.row(kind, layers, static_cast<int64_t>(i - first),
                                        static_cast<int64_t>(query_tokens(sentences[i], kind).size()),
                                        static_cast<int64_t>(key_tokens(sentences[i], kind).size())));
    }
    sink(maps);
  }
}

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
             const MapsSink& sink, int64_t batch_bytes) {
  const Selection all = with_everything_named(selection, model->options());
  const modules::EvaluationMode evaluation(*model);
  const torch::NoGradGuard no_grad;
  size_t first = 0;
  while (first < sentences.size()) {
    // Padding makes every row of a batch as large as its largest.
    int64_t largest = weight_bytes(sentences[first], all, model->options());
    size_t end = first + 1;
    for (; end < sentences.size() && end - first < 64; ++end) {
      largest = std::max(largest, weight_bytes(sentences[end], all, model->options()));
      if (largest * static_cast<int64_t>(end - first + 1) > batch_bytes) break;
    }
    capture_batch(model, sentences, first, end, all, sink);
    first = end;
  }
}

}  // namespace attnlab::inspection
