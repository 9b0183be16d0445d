#pragma once
/// SVG pictures of analyses. They have no background and take their ink from the reader's light or dark setting;
/// amounts are opacities of one blue (positive) and one orange (negative), which colour-blind readers tell apart (Okabe
/// & Ito's palette).

#include <map>
#include <string>
#include <vector>

#include "experiments/inspection/analyses/importance.h"
#include "experiments/inspection/analyses/summary.h"
#include "experiments/inspection/maps.h"
#include "modules/torch.h"

namespace attnlab::inspection {

/// A value for each head: one block a kind, rows are layers, columns heads, each with its number.
std::string draw_heads(const std::map<HeadAddress, double>& values, const std::string& title);

/// BLEU (or, where none was asked for, the loss) against the number of heads kept.
std::string draw_pruning(const std::vector<PruningStep>& steps);

/// A matrix [Tq, Tk] of weights with its tokens: a rollout, or one head.
std::string draw_matrix(const torch::Tensor& weights, const Tokens& queries, const Tokens& keys,
                        const std::string& title);

}  // namespace attnlab::inspection
