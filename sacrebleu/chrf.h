#pragma once
/// chrF (Popović, 2015) and chrF++ (Popović, 2017) as sacreBLEU 2.6.0 computes them.

#include <string>
#include <vector>

#include "sacrebleu/metric.h"

namespace sacrebleu {

struct ChrfOptions {
  int char_order = 6;
  int word_order = 0;  ///< 2 is chrF++
  int beta = 2;        ///< weight of recall against precision
  bool lowercase = false;
  bool whitespace = false;     ///< true: whitespace counts as characters; false: it is removed
  bool eps_smoothing = false;  ///< as chrF++.py, NLTK and Moses smooth, instead of averaging over the orders that exist
};

struct ChrfScore : Score {
  int char_order = 6, word_order = 0, beta = 2;
};

/// `CHRF(options).corpus_score(hypotheses, references)`, with references[k][i] the k-th reference of line i.
///
/// Of several references the one with the best score of the line counts, the first among equals. The signature's "eff"
/// says that eps_smoothing is off. A line without any reference is an error.
class CHRF : public Metric {
 public:
  explicit CHRF(const ChrfOptions& options = {}) : options_(options) {}

  [[nodiscard]] ChrfScore corpus_score(const std::vector<std::string>& hypotheses, const References& references,
                                       const CorpusOptions& options = {}) const;
  [[nodiscard]] ChrfScore sentence_score(const std::string& hypothesis,
                                         const std::vector<std::string>& references) const;

  [[nodiscard]] const ChrfOptions& options() const { return options_; }
  [[nodiscard]] std::string kind() const override { return "CHRF"; }
  [[nodiscard]] Signature signature(int references) const override;
  [[nodiscard]] std::string preprocess(std::string_view line) const override;
  [[nodiscard]] std::size_t width() const override;
  [[nodiscard]] std::unique_ptr<Scorer> scorer(std::size_t lines) const override;
  [[nodiscard]] Score score(std::span<const double> sums, int references) const override;
  [[nodiscard]] SampleScore sample_score(std::span<const float> sums, NumpyRules rules) const override;
  [[nodiscard]] double trial_score(std::span<const double> sums) const override;

 private:
  [[nodiscard]] ChrfScore full_score(std::span<const double> sums, int references) const;

  ChrfOptions options_;
};

}  // namespace sacrebleu
