#include "sacrebleu/chrf.h"

#include <algorithm>

#include "sacrebleu/chrf_scorer.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

ChrfFormula formula_of(const ChrfOptions& options) {
  return {options.char_order + options.word_order, options.beta, options.eps_smoothing};
}

template <NumpyRules rules>
SampleScore sample(const ChrfFormula& formula, std::span<const float> sums) {
  std::vector<PromotedNumber<rules>> counts;
  for (const float sum : sums) counts.push_back(PromotedNumber<rules>::from_single(sum));
  const auto score = formula(counts);
  return {score.value(), score.single()};
}

}  // namespace

std::size_t CHRF::width() const {
  return 3 * static_cast<std::size_t>(std::max(options_.char_order, 0) + std::max(options_.word_order, 0));
}

ChrfScore CHRF::corpus_score(const std::vector<std::string>& hypotheses, const References& references,
                             const CorpusOptions& options) const {
  const Statistics all = statistics(hypotheses, references, options);
  ChrfScore result = full_score(all.sum(), all.references);
  add_confidence(result, all, options);
  return result;
}

ChrfScore CHRF::sentence_score(const std::string& hypothesis, const std::vector<std::string>& references) const {
  const Statistics all = statistics(hypothesis, references);
  return full_score(all.sum(), all.references);
}

ChrfScore CHRF::full_score(std::span<const double> sums, int references) const {
  ChrfScore score;
  score.name = "chrF" + std::to_string(options_.beta) +
               std::string(static_cast<std::size_t>(std::max(options_.word_order, 0)), '+');
  score.score = trial_score(sums);
  score.char_order = options_.char_order;
  score.word_order = options_.word_order;
  score.beta = options_.beta;
  score.signature = signature(references);
  return score;
}

Score CHRF::score(std::span<const double> sums, int references) const {
  return full_score(sums, references);
}

SampleScore CHRF::sample_score(std::span<const float> sums, NumpyRules rules) const {
  const ChrfFormula formula = formula_of(options_);
  return rules == NumpyRules::numpy1 ? sample<NumpyRules::numpy1>(formula, sums)
                                     : sample<NumpyRules::numpy2>(formula, sums);
}

double CHRF::trial_score(std::span<const double> sums) const {
  return formula_of(options_)(std::vector<double>(sums.begin(), sums.end()));
}

Signature CHRF::signature(int references) const {
  Signature signature(references);
  signature.add("case", "c", options_.lowercase ? "lc" : "mixed");
  signature.add("eff", "e", options_.eps_smoothing ? "no" : "yes");
  signature.add("nc", "nc", std::to_string(options_.char_order));
  signature.add("nw", "nw", std::to_string(options_.word_order));
  signature.add("space", "s", options_.whitespace ? "yes" : "no");
  return signature;
}

std::string CHRF::preprocess(std::string_view line) const {
  return options_.lowercase ? lower(line) : std::string(line);
}

std::unique_ptr<Scorer> CHRF::scorer(std::size_t lines) const {
  return std::make_unique<ChrfScorer>(options_, formula_of(options_), lines);
}

}  // namespace sacrebleu
