#pragma once
/// Character and word n-gram matches of one line, for chrF.

#include <string>
#include <vector>

#include "sacrebleu/chrf.h"
#include "sacrebleu/chrf_formula.h"
#include "sacrebleu/ngrams.h"

namespace sacrebleu {

/// Row: for each character order, then each word order: hypothesis n-grams, reference n-grams, matches.
class ChrfScorer : public Scorer {
 public:
  ChrfScorer(const ChrfOptions& options, ChrfFormula formula, std::size_t lines)
      : options_(options), formula_(formula), lines_(lines) {}

  void statistics(std::string_view hypothesis, std::span<const std::string_view> references, std::size_t line,
                  std::span<double> row) override;

 private:
  /// A line as integers: equal characters, and equal words, have equal numbers.
  struct Symbols {
    std::vector<std::uint32_t> characters, words;
  };
  void read(std::string_view line, Symbols& symbols);
  void read_words(std::string_view line, Symbols& symbols);
  void compare(const std::vector<std::uint32_t>& hypothesis, const std::vector<std::uint32_t>& reference, int orders,
               std::span<double> counts);
  double match(const std::vector<std::uint32_t>& hypothesis, const std::vector<std::uint32_t>& reference,
               std::size_t n);

  ChrfOptions options_;
  ChrfFormula formula_;
  std::size_t lines_;
  /// The interner keeps views of all texts of a line: never reallocated while they are in use.
  std::vector<std::string> lowered_;
  Interner interner_;
  NgramTrie table_;
  Symbols hypothesis_, reference_;
  std::vector<std::string_view> words_;
  std::vector<double> counts_;
  /// For each position the number of the n-gram of the order before that starts there, or kAbsent when the other text
  /// lacks it.
  std::vector<std::uint32_t> hypothesis_prefix_, reference_prefix_;
  std::vector<char> matched_;
};

}  // namespace sacrebleu
