#include "experiments/inspection/analyses/importance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <torch/csrc/autograd/autograd.h>

#include "experiments/data/tensors.h"
#include "experiments/inspection/selection.h"

namespace attnlab::inspection {

namespace {

/// Summed negative log-likelihood of a batch's target tokens, padding left out. In the model's own type, and
/// gradients pass.
torch::Tensor summed_loss(modules::Transformer& model, const data::Batch& batch, torch::Device device,
                          modules::Context& context) {
  const data::BatchTensors tensors = data::to_tensors(batch, device);
  const auto logits = model->forward(tensors.source, tensors.source_lengths, tensors.target_input,
                                     tensors.target_lengths, context);  // [B, T, V]
  const auto labels = data::padded_labels(batch, device).unsqueeze(-1);
  const auto log_probability = torch::log_softmax(logits, -1).gather(-1, labels).squeeze(-1);  // [B, T]
  const auto valid = torch::arange(batch.target_width, torch::TensorOptions().device(device)) <
                     tensors.target_lengths.to(device).unsqueeze(1);
  return -(log_probability * valid).sum();
}

torch::Device device_of(modules::Transformer& model) {
  return model->parameters().front().device();
}

}  // namespace

std::vector<HeadAddress> all_heads(const modules::TransformerOptions& model) {
  std::vector<HeadAddress> heads;
  for (const AttentionKind kind : kAllKinds) {
    for (int64_t layer = 0; layer < layer_count(model, kind); ++layer) {
      for (int64_t head = 0; head < model.heads; ++head) heads.push_back({kind, layer, head});
    }
  }
  return heads;
}

modules::HeadGates gates_without(const std::vector<HeadAddress>& removed, const modules::TransformerOptions& model,
                                 torch::Device device, torch::ScalarType type) {
  modules::HeadGates gates;
  const auto options = torch::TensorOptions().dtype(type);
  for (const AttentionKind kind : kAllKinds)
    gates.of(kind) = torch::ones({layer_count(model, kind), model.heads}, options);
  for (const HeadAddress& head : removed) gates.of(head.kind)[head.layer][head.head] = 0;
  for (const AttentionKind kind : kAllKinds) gates.of(kind) = gates.of(kind).to(device);
  return gates;
}

double gated_loss(modules::Transformer& model, const data::Pairs& pairs, int32_t bos, int64_t batch_tokens,
                  const modules::HeadGates& gates) {
  const torch::NoGradGuard no_grad;
  modules::Context context;
  context.gates = &gates;
  double loss = 0;
  int64_t tokens = 0;
  for (const auto& rows : data::scoring_batches(pairs, batch_tokens)) {
    const data::Batch batch = data::make_batch(pairs, rows, /*pad=*/0, bos);
    loss += summed_loss(model, batch, device_of(model), context).item<double>();
    tokens += batch.target_tokens;
  }
  return tokens > 0 ? loss / static_cast<double>(tokens) : std::numeric_limits<double>::quiet_NaN();
}

std::map<HeadAddress, double> gradient_importance(modules::Transformer& model, const data::Pairs& pairs, int32_t bos,
                                                  const Progress& progress) {
  const torch::Device device = device_of(model);
  modules::HeadGates gates = gates_without({}, model->options(), device, model->parameters().front().scalar_type());
  for (const AttentionKind kind : kAllKinds) gates.of(kind).set_requires_grad(true);
  modules::Context context;
  context.gates = &gates;
  std::map<AttentionKind, torch::Tensor> sums;
  for (const AttentionKind kind : kAllKinds) sums[kind] = torch::zeros_like(gates.of(kind)).detach();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const data::Batch batch = data::make_batch(pairs, {static_cast<int64_t>(i)}, /*pad=*/0, bos);
    const auto loss = summed_loss(model, batch, device, context) / static_cast<double>(batch.target_tokens);
    const auto gradients =
        torch::autograd::grad({loss}, {gates.encoder, gates.decoder, gates.cross}, {}, /*retain_graph=*/false,
                              /*create_graph=*/false, /*allow_unused=*/true);
    for (size_t k = 0; k < kAllKinds.size(); ++k) {
      if (gradients[k].defined()) sums[kAllKinds[k]] += gradients[k].abs();
    }
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(pairs.size()));
  }
  std::map<HeadAddress, double> importance;
  for (const HeadAddress& head : all_heads(model->options())) {
    importance[head] = sums[head.kind][head.layer][head.head].item<double>() / static_cast<double>(pairs.size());
  }
  return importance;
}

std::map<HeadAddress, double> normalised_by_layer(const std::map<HeadAddress, double>& importance) {
  std::map<std::pair<AttentionKind, int64_t>, double> squares;
  for (const auto& [head, value] : importance) squares[{head.kind, head.layer}] += value * value;
  std::map<HeadAddress, double> scaled;
  for (const auto& [head, value] : importance) {
    const double length = std::sqrt(squares[{head.kind, head.layer}]);
    scaled[head] = length > 0 ? value / length : 0;
  }
  return scaled;
}

std::map<HeadAddress, double> removal_change(const std::vector<HeadAddress>& heads, const GateScore& score,
                                             const Progress& progress) {
  const double whole = score({});
  std::map<HeadAddress, double> change;
  for (const HeadAddress& head : heads) {
    change[head] = score({head}) - whole;
    if (progress) progress(static_cast<double>(change.size()) / static_cast<double>(heads.size()));
  }
  return change;
}

std::vector<PruningStep> greedy_pruning(const std::vector<HeadAddress>& heads, const GateScore& loss,
                                        const GateScore& bleu, int64_t bleu_every, const Progress& progress) {
  const auto count = static_cast<int64_t>(heads.size());
  const auto bleu_at = [&](int64_t point, const std::vector<HeadAddress>& removed) {
    const bool asked = bleu && (point % bleu_every == 0 || point == count);
    return asked ? std::optional<double>(bleu(removed)) : std::nullopt;
  };
  std::vector<HeadAddress> left = heads, removed;
  std::vector<PruningStep> curve{{std::nullopt, count, loss({}), bleu_at(0, {})}};
  const double evaluations = static_cast<double>(count) * static_cast<double>(count + 1) / 2;
  double done = 0;
  while (!left.empty()) {
    size_t best = 0;
    double best_loss = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < left.size(); ++i) {
      std::vector<HeadAddress> candidate = removed;
      candidate.push_back(left[i]);
      const double value = loss(candidate);
      if (value < best_loss) {
        best_loss = value;
        best = i;
      }
      if (progress) progress(++done / evaluations);
    }
    removed.push_back(left[best]);
    left.erase(left.begin() + static_cast<int64_t>(best));
    curve.push_back({removed.back(), static_cast<int64_t>(left.size()), best_loss,
                     bleu_at(static_cast<int64_t>(removed.size()), removed)});
  }
  return curve;
}

}  // namespace attnlab::inspection
