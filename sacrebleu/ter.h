#pragma once
/// Translation edit rate (Snover et al., 2006) as sacreBLEU 2.6.0's port of Tercom computes it.

#include <string>
#include <vector>

#include "sacrebleu/metric.h"
#include "sacrebleu/tokenizers/tercom.h"

namespace sacrebleu {

struct TerScore : Score {
  long num_edits = 0;     ///< over all lines, each against its best reference
  double ref_length = 0;  ///< sum over lines of the mean length of their references, in words
};

/// `TER(options).corpus_score(hypotheses, references)`, with references[k][i] the k-th reference of line i. Lower is
/// better; the score is edits per hundred reference words and has no upper bound. A line without any reference is an
/// error.
class TER : public Metric {
 public:
  explicit TER(const TerOptions& options = {}) : options_(options) {}

  [[nodiscard]] TerScore corpus_score(const std::vector<std::string>& hypotheses, const References& references,
                                      const CorpusOptions& options = {}) const;
  [[nodiscard]] TerScore sentence_score(const std::string& hypothesis,
                                        const std::vector<std::string>& references) const;

  [[nodiscard]] const TerOptions& options() const { return options_; }
  [[nodiscard]] std::string kind() const override { return "TER"; }
  [[nodiscard]] Signature signature(int references) const override;
  [[nodiscard]] std::string preprocess(std::string_view line) const override;
  [[nodiscard]] std::size_t width() const override { return 2; }
  [[nodiscard]] std::unique_ptr<Scorer> scorer(std::size_t lines) const override;
  [[nodiscard]] Score score(std::span<const double> sums, int references) const override;
  [[nodiscard]] SampleScore sample_score(std::span<const float> sums, NumpyRules rules) const override;
  [[nodiscard]] double trial_score(std::span<const double> sums) const override;

 private:
  [[nodiscard]] TerScore full_score(std::span<const double> sums, int references) const;

  TerOptions options_;
};

}  // namespace sacrebleu
