#include "sacrebleu/ter.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sacrebleu/ngrams.h"
#include "sacrebleu/python_number.h"
#include "sacrebleu/ter_search.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

/// Row: the least number of edits over the references, and the mean of their lengths.
class TerScorer : public Scorer {
 public:
  explicit TerScorer(const TerOptions& options) : options_(options) {}

  void statistics(std::string_view hypothesis, std::span<const std::string_view> references, std::size_t line,
                  std::span<double> row) override {
    if (references.empty()) {
      throw Error(ErrorKind::zero_division, fmt::format("line {} has no reference: TER needs at least one", line + 1));
    }
    interner_.clear();
    vocabulary_ = 0;
    texts_.clear();
    texts_.reserve(references.size() + 1);
    read(tercom_tokenize(hypothesis, options_), hypothesis_);
    double best = std::numeric_limits<double>::infinity(), lengths = 0;
    for (const auto reference : references) {
      // The original tokenizes references twice, which shows where the first pass leaves work: "Nima's," without
      // punctuation.
      read(tercom_tokenize(tercom_tokenize(reference, options_), options_), reference_);
      best = std::min(best, static_cast<double>(search_.edits(hypothesis_, reference_, vocabulary_)));
      lengths += static_cast<double>(reference_.size());
    }
    row[0] = best;
    row[1] = lengths / static_cast<double>(references.size());
  }

 private:
  void read(std::string text, std::vector<std::uint32_t>& ids) {
    texts_.push_back(std::move(text));
    words_.clear();
    split(texts_.back(), words_);
    ids.clear();
    for (const auto word : words_) {
      ids.push_back(interner_.id(word));
      vocabulary_ = std::max<std::size_t>(vocabulary_, ids.back() + 1);
    }
  }

  TerOptions options_;
  Interner interner_;
  TerSearch search_;
  std::vector<std::string> texts_;
  std::vector<std::string_view> words_;
  std::vector<std::uint32_t> hypothesis_, reference_;
  std::size_t vocabulary_ = 0;
};

template <class Number>
Number rate(Number edits, Number length) {
  if (value_of(length) > 0) return Number(100.0) * (edits / length);
  return value_of(edits) > 0 ? Number(100.0) : Number(0.0);
}

template <NumpyRules rules>
SampleScore sample(std::span<const float> sums) {
  using Number = PromotedNumber<rules>;
  const Number score = rate(Number::from_single(sums[0]), Number::from_single(sums[1]));
  return {score.value(), score.single()};
}

}  // namespace

TerScore TER::corpus_score(const std::vector<std::string>& hypotheses, const References& references,
                           const CorpusOptions& options) const {
  const Statistics all = statistics(hypotheses, references, options);
  TerScore result = full_score(all.sum(), all.references);
  add_confidence(result, all, options);
  return result;
}

TerScore TER::sentence_score(const std::string& hypothesis, const std::vector<std::string>& references) const {
  const Statistics all = statistics(hypothesis, references);
  return full_score(all.sum(), all.references);
}

TerScore TER::full_score(std::span<const double> sums, int references) const {
  TerScore score;
  score.name = "TER";
  score.score = trial_score(sums);
  score.num_edits = static_cast<long>(sums[0]);
  score.ref_length = sums[1];
  score.signature = signature(references);
  return score;
}

Score TER::score(std::span<const double> sums, int references) const {
  return full_score(sums, references);
}

SampleScore TER::sample_score(std::span<const float> sums, NumpyRules rules) const {
  return rules == NumpyRules::numpy1 ? sample<NumpyRules::numpy1>(sums) : sample<NumpyRules::numpy2>(sums);
}

double TER::trial_score(std::span<const double> sums) const {
  return rate(sums[0], sums[1]);
}

Signature TER::signature(int references) const {
  const auto yes_no = [](bool yes) { return yes ? "yes" : "no"; };
  Signature signature(references);
  signature.add("case", "c", options_.case_sensitive ? "mixed" : "lc");
  signature.add("tok", "t", "tercom");
  signature.add("norm", "nr", yes_no(options_.normalized));
  signature.add("punct", "pn", yes_no(!options_.no_punct));
  signature.add("asian", "as", yes_no(options_.asian_support));
  return signature;
}

std::string TER::preprocess(std::string_view line) const {
  return tercom_tokenize(line, options_);
}

std::unique_ptr<Scorer> TER::scorer(std::size_t) const {
  return std::make_unique<TerScorer>(options_);
}

}  // namespace sacrebleu
