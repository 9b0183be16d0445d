#pragma once
/// How much the model needs each head: gradient of a head mask, and removal (Michel, Levy & Neubig 2019, "Are Sixteen
/// Heads Really Better than One?", sections 2.3 and 4).

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "experiments/data/batches.h"
#include "experiments/inspection/analyses/summary.h"
#include "modules/transformer.h"

namespace attnlab::inspection {

/// All heads of a model, kind by kind.
std::vector<HeadAddress> all_heads(const modules::TransformerOptions& model);

/// Gates that are 1 but for the removed heads, on `device`.
modules::HeadGates gates_without(const std::vector<HeadAddress>& removed, const modules::TransformerOptions& model,
                                 torch::Device device, torch::ScalarType type = torch::kFloat);

/// Unsmoothed negative log-likelihood per target token with eos, in nats, of a model with these gates.
double gated_loss(modules::Transformer& model, const data::Pairs& pairs, int32_t bos, int64_t batch_tokens,
                  const modules::HeadGates& gates);

/// Asked after each sentence or head: progress in [0, 1].
using Progress = std::function<void(double)>;

/// Mean over sentences of |dL/dgate| at gate 1, L the loss per target token of one sentence (equation 2 of the paper
/// with its expectation over sentences).
std::map<HeadAddress, double> gradient_importance(modules::Transformer& model, const data::Pairs& pairs, int32_t bos,
                                                  const Progress& progress = {});

/// The same numbers divided by the Euclidean length of their layer (all heads of one kind and layer), as the paper
/// compares layers.
std::map<HeadAddress, double> normalised_by_layer(const std::map<HeadAddress, double>& importance);

/// score(head removed) - score(nothing removed) for every head.
using GateScore = std::function<double(const std::vector<HeadAddress>& removed)>;
std::map<HeadAddress, double> removal_change(const std::vector<HeadAddress>& heads, const GateScore& score,
                                             const Progress& progress = {});

/// One point of a pruning curve.
struct PruningStep {
  std::optional<HeadAddress> removed;  ///< absent at the first point, where all heads are kept
  int64_t kept = 0;                    ///< heads left
  double loss = 0;                     ///< what the heads were chosen by
  std::optional<double> bleu;          ///< where it was asked for
};

/// Removes one head after the other, each time the one whose loss without it is lowest (ties: the first), until none is
/// left. `bleu` may be empty; it is asked at every `bleu_every`-th point and at the last.
std::vector<PruningStep> greedy_pruning(const std::vector<HeadAddress>& heads, const GateScore& loss,
                                        const GateScore& bleu, int64_t bleu_every = 1, const Progress& progress = {});

}  // namespace attnlab::inspection
