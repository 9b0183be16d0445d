#pragma once
/// BLEU (Papineni et al., 2002) as sacreBLEU 2.6.0 computes it (Post, 2018).

#include <optional>
#include <string>
#include <vector>

#include "sacrebleu/metric.h"
#include "sacrebleu/tokenizers/tokenizer.h"

namespace sacrebleu {

/// What happens to an n-gram order without a match (Chen and Cherry, 2014).
enum class Smoothing {
  none,
  floor,  ///< method 1: the count becomes smooth_value (default 0.1)
  add_k,  ///< method 2: smooth_value (default 1) is added to count and total of every order above 1
  exp     ///< method 3, as in NIST's mteval: 1/2, 1/4, ... of a count
};

struct BleuOptions {
  bool lowercase = false;
  bool force = false;    ///< silences the warning about input that looks tokenised
  std::string tokenize;  ///< a name of tokenizer_names(); empty: by trg_lang (zh, ja, ko), otherwise 13a
  Smoothing smooth_method = Smoothing::exp;
  std::optional<double> smooth_value;  ///< floor and add_k only
  int max_ngram_order = 4;
  bool effective_order = false;  ///< stops at the longest order that the text has; wanted for single sentences
  std::string trg_lang;          ///< target language code, for the choice of a tokenizer
  TokenizerFactory tokenizers;   ///< makes spm, flores101, ... (sacrebleu/tokenizers/external.h)
  Log log;                       ///< receives the original's warnings
};

struct BleuScore : Score {
  std::vector<double> counts;      ///< clipped matches per order; add_k has been added, as in the original
  std::vector<double> totals;      ///< hypothesis n-grams per order; likewise
  std::vector<double> precisions;  ///< 0-100
  double bp = 1;                   ///< brevity penalty, 0-1
  long sys_len = 0;                ///< tokens of all hypotheses
  long ref_len = 0;                ///< tokens of the closest references; at equal distance the shorter counts
  double ratio = 0;                ///< sys_len / ref_len, 0 when ref_len is 0
};

/// `BLEU(options).corpus_score(hypotheses, references)`, with references[k][i] the k-th reference of line i.
///
/// Without effective_order a corpus that has no n-gram of the highest order scores 0, even when it is perfect. A line
/// without any reference adds -1 to ref_len when its hypothesis is empty, and is an error otherwise: both as in the
/// original.
class BLEU : public Metric {
 public:
  explicit BLEU(BleuOptions options = {});

  [[nodiscard]] BleuScore corpus_score(const std::vector<std::string>& hypotheses, const References& references,
                                       const CorpusOptions& options = {}) const;
  /// One line against its references; set effective_order.
  [[nodiscard]] BleuScore sentence_score(const std::string& hypothesis,
                                         const std::vector<std::string>& references) const;

  /// The score from its sufficient statistics.
  [[nodiscard]] BleuScore compute(std::vector<double> counts, std::vector<double> totals, long sys_len,
                                  long ref_len) const;

  [[nodiscard]] const BleuOptions& options() const { return options_; }
  [[nodiscard]] std::string kind() const override { return "BLEU"; }
  [[nodiscard]] Signature signature(int references) const override;
  [[nodiscard]] std::string preprocess(std::string_view line) const override;
  [[nodiscard]] std::size_t width() const override { return 2 + 2 * orders(); }
  [[nodiscard]] std::unique_ptr<Scorer> scorer(std::size_t lines) const override;
  [[nodiscard]] Score score(std::span<const double> sums, int references) const override;
  [[nodiscard]] SampleScore sample_score(std::span<const float> sums, NumpyRules rules) const override;
  [[nodiscard]] double trial_score(std::span<const double> sums) const override;

 protected:
  [[nodiscard]] std::size_t count_tokenised(std::span<const std::string> hypotheses) const override;
  void inspect(std::size_t tokenised) const override;
  void inspect_sentence() const override;

 private:
  [[nodiscard]] std::size_t orders() const { return static_cast<std::size_t>(options_.max_ngram_order); }
  [[nodiscard]] BleuScore full_score(std::span<const double> sums, int references) const;

  BleuOptions options_;
  std::shared_ptr<const Tokenizer> tokenizer_;
};

/// The names of the command line: "none", "floor", "add-k", "exp".
std::string smoothing_name(Smoothing smoothing);
/// The inverse; throws Error (value) for another name.
Smoothing smoothing_from_name(const std::string& name);
/// The value that is used when none is given; nullopt for methods without one.
std::optional<double> default_smooth_value(Smoothing smoothing);

}  // namespace sacrebleu
