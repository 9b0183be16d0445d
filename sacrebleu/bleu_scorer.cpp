#include "sacrebleu/bleu_scorer.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "sacrebleu/unicode.h"

namespace sacrebleu {

void BleuScorer::statistics(std::string_view hypothesis, std::span<const std::string_view> references, std::size_t line,
                            std::span<double> row) {
  interner_.clear();
  tokenize(hypothesis, hypothesis_);
  if (references_.size() < references.size()) references_.resize(references.size());
  std::size_t reference_tokens = 0;
  for (std::size_t k = 0; k < references.size(); ++k) {
    tokenize(references[k], references_[k]);
    reference_tokens += references_[k].ids.size();
  }
  const auto length = static_cast<long>(hypothesis_.ids.size());
  if (references.empty() && length > 0 && orders_ > 0) {
    throw Error(ErrorKind::type,
                fmt::format("line {} has a hypothesis but no reference: BLEU needs at least one", line + 1));
  }
  trie_.clear(reference_tokens * orders_);
  long closest = -1;
  for (std::size_t k = 0; k < references.size(); ++k) {
    add_reference(references_[k], static_cast<std::uint32_t>(k + 1));
    const auto candidate = static_cast<long>(references_[k].ids.size());
    const long distance = std::labs(length - candidate), best = std::labs(length - closest);
    if (k == 0 || distance < best || (distance == best && candidate < closest)) closest = candidate;
  }
  row[0] = static_cast<double>(length);
  row[1] = static_cast<double>(closest);
  count(hypothesis_, row.subspan(2, orders_));
  for (std::size_t n = 0; n < orders_; ++n) {
    row[2 + orders_ + n] = static_cast<double>(std::max(0L, length - static_cast<long>(n)));
  }
}

void BleuScorer::tokenize(std::string_view line, Tokens& tokens) {
  std::string lowered;
  if (lowercase_) {
    lowered = lower(line);
    line = lowered;
  }
  tokenizer_->apply(rstrip(line), tokens.text);
  words_.clear();
  split(tokens.text, words_);
  tokens.ids.clear();
  for (const auto word : words_) tokens.ids.push_back(interner_.id(word));
}

/// The limit of an n-gram is the maximum of its counts over the references.
void BleuScorer::add_reference(const Tokens& reference, std::uint32_t owner) {
  const auto& ids = reference.ids;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::uint32_t parent = NgramTrie::kRoot;
    for (std::size_t j = i; j < std::min(ids.size(), i + orders_); ++j) {
      auto& node = trie_.insert(parent, ids[j]);
      if (node.owner != owner) {
        node.owner = owner;
        node.used = 0;
      }
      node.limit = std::max(node.limit, ++node.used);
      parent = node.id;
    }
  }
}

void BleuScorer::count(const Tokens& hypothesis, std::span<double> matches) {
  constexpr std::uint32_t kHypothesis = 0xFFFFFFFF;
  const auto& ids = hypothesis.ids;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::uint32_t parent = NgramTrie::kRoot;
    for (std::size_t n = 0; n < orders_ && i + n < ids.size(); ++n) {
      auto* node = trie_.find(parent, ids[i + n]);
      if (node == nullptr) break;
      if (node->owner != kHypothesis) {
        node->owner = kHypothesis;
        node->used = 0;
      }
      if (node->used++ < node->limit) ++matches[n];
      parent = node->id;
    }
  }
}

}  // namespace sacrebleu
