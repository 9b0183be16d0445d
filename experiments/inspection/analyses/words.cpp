#include "experiments/inspection/analyses/words.h"

#include <algorithm>

#include "experiments/inspection/analyses/rows.h"

namespace attnlab::inspection {

namespace {

/// [words, tokens] float64: 1 where a token belongs to a word.
torch::Tensor membership(const Tokens& tokens) {
  torch::Tensor member = torch::zeros({word_count(tokens), static_cast<int64_t>(tokens.size())}, torch::kDouble);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].word >= 0) member[tokens[i].word][static_cast<int64_t>(i)] = 1;
  }
  return member;
}

}  // namespace

int64_t word_count(const Tokens& tokens) {
  int64_t last = -1;
  for (const Token& token : tokens) last = std::max(last, token.word);
  return last + 1;
}

torch::Tensor merge_words(const torch::Tensor& weights, const Tokens& queries, const Tokens& keys) {
  const torch::Tensor query_words = membership(queries);
  const torch::Tensor mean = query_words / query_words.sum(-1, /*keepdim=*/true).clamp_min(1);
  return mean.matmul(weights.to(torch::kDouble)).matmul(membership(keys).t());
}

std::vector<Link> strongest_links(const torch::Tensor& merged) {
  std::vector<Link> links;
  if (merged.size(0) == 0 || merged.size(1) == 0) return links;
  const torch::Tensor peak = row_peak(merged);
  for (int64_t target = 0; target < merged.size(0); ++target) {
    links.emplace_back(static_cast<int>(peak[target].item<int64_t>()), static_cast<int>(target));
  }
  return links;
}

}  // namespace attnlab::inspection
