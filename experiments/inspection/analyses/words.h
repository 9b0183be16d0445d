#pragma once
/// From pieces to words, and from weights to links between words.

#include <cstdint>
#include <utility>
#include <vector>

#include "experiments/inspection/maps.h"
#include "modules/torch.h"

namespace attnlab::inspection {

/// A link (source word, target word), both from 0.
using Link = std::pair<int, int>;

/// Weights between words: the weights of the pieces of one key word are added up, the rows of the pieces of one query
/// word are averaged. `weights` [..., Tq, Tk] -> [..., query words, key words] float64. Special tokens are left out, so
/// rows sum to at most 1.
torch::Tensor merge_words(const torch::Tensor& weights, const Tokens& queries, const Tokens& keys);

/// How many words a sequence has.
int64_t word_count(const Tokens& tokens);

/// For each target word the source word with the largest weight, from merged weights [target words, source words]: one
/// link a row.
std::vector<Link> strongest_links(const torch::Tensor& merged);

}  // namespace attnlab::inspection
