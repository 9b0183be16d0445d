#pragma once
/// Clipped n-gram matches of one line.

#include <string>
#include <vector>

#include "sacrebleu/metric.h"
#include "sacrebleu/ngrams.h"
#include "sacrebleu/tokenizers/tokenizer.h"

namespace sacrebleu {

/// Row: hypothesis length, closest reference length, matches per order, hypothesis n-grams per order.
class BleuScorer : public Scorer {
 public:
  BleuScorer(std::shared_ptr<const Tokenizer> tokenizer, bool lowercase, std::size_t orders)
      : tokenizer_(std::move(tokenizer)), lowercase_(lowercase), orders_(orders) {}

  void statistics(std::string_view hypothesis, std::span<const std::string_view> references, std::size_t line,
                  std::span<double> row) override;

 private:
  /// A tokenised line whose words `words` points into.
  struct Tokens {
    std::string text;
    std::vector<std::uint32_t> ids;
  };
  void tokenize(std::string_view line, Tokens& tokens);
  void add_reference(const Tokens& reference, std::uint32_t owner);
  void count(const Tokens& hypothesis, std::span<double> matches);

  std::shared_ptr<const Tokenizer> tokenizer_;
  bool lowercase_;
  std::size_t orders_;
  Interner interner_;
  NgramTrie trie_;
  Tokens hypothesis_;
  std::vector<Tokens> references_;
  std::vector<std::string_view> words_;
};

}  // namespace sacrebleu
