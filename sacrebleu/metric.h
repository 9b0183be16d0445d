#pragma once
/// What BLEU, chrF and TER share: statistics per line that add up to those of the corpus, and a score made from sums.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sacrebleu/error.h"
#include "sacrebleu/references.h"
#include "sacrebleu/score.h"

namespace sacrebleu {

enum class LogLevel { info, warning };
/// Receives what the original writes to its log; empty: nobody is told.
using Log = std::function<void(LogLevel, const std::string&)>;

/// What happens when hypotheses and reference streams differ in length.
enum class LengthMismatch {
  error,  ///< refused; our default
  cut     ///< scored up to the shortest, silently: what sacreBLEU 2.6.0's API does
};

/// Whose rules for mixing float32 and Python numbers bootstrap scores follow (BLEU differs by about 1e-8, chrF and TER
/// by up to 6e-6). Scores themselves are the same under both.
enum class NumpyRules { numpy1, numpy2 };

/// The seed of resampling: a number, or nullopt for entropy of the operating system (SACREBLEU_SEED=none).
using Seed = std::optional<std::string>;

/// Settings of one call of corpus_score.
struct CorpusOptions {
  LengthMismatch length_mismatch = LengthMismatch::error;
  int bootstrap_samples = 0;  ///< above 1: adds the 95 % interval from this many resamples
  Seed seed = "12345";        ///< decimal digits of any length
  NumpyRules numpy = NumpyRules::numpy2;
  int threads = 1;  ///< changes the time only, never a bit of the result
};

/// One row of additive statistics a line.
struct Statistics {
  std::size_t rows = 0, width = 0;
  std::vector<double> values;  ///< [rows, width]
  int references = 0;          ///< per line; -1 when it varies

  [[nodiscard]] std::span<const double> row(std::size_t i) const { return std::span(values).subspan(i * width, width); }
  /// Sums over all lines, from the first to the last.
  [[nodiscard]] std::vector<double> sum() const;
};

/// A part of a corpus: `first` of its `lines` lines come before.
struct CorpusPart {
  std::size_t first = 0, lines = 0;
};

/// Scratch memory for one thread's lines.
class Scorer {
 public:
  Scorer() = default;
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;
  virtual ~Scorer() = default;
  /// Writes the statistics of one line; `line` is for messages. Throws Error for a line without references when the
  /// metric has no value for it.
  virtual void statistics(std::string_view hypothesis, std::span<const std::string_view> references, std::size_t line,
                          std::span<double> row) = 0;
};

/// The score of one resample, and whether NumPy would hold it as float32.
struct SampleScore {
  double value = 0;
  bool single = false;
};

class Metric {
 public:
  Metric() = default;
  Metric(const Metric&) = default;
  Metric& operator=(const Metric&) = default;
  virtual ~Metric() = default;

  /// "BLEU", "CHRF" or "TER": the key that the original's log uses.
  [[nodiscard]] virtual std::string kind() const = 0;
  /// The signature for lines with that many references (-1: varying).
  [[nodiscard]] virtual Signature signature(int references) const = 0;
  /// What the metric does to a line before comparing.
  [[nodiscard]] virtual std::string preprocess(std::string_view line) const = 0;
  [[nodiscard]] virtual std::size_t width() const = 0;
  /// A worker for a corpus of that many lines.
  [[nodiscard]] virtual std::unique_ptr<Scorer> scorer(std::size_t lines) const = 0;

  /// The score made of summed statistics.
  [[nodiscard]] virtual Score score(std::span<const double> sums, int references) const = 0;
  /// The score of a bootstrap resample, whose sums are float32.
  [[nodiscard]] virtual SampleScore sample_score(std::span<const float> sums, NumpyRules rules) const = 0;
  /// The score of a trial of approximate randomisation, whose sums are NumPy int64 (float64 for TER).
  [[nodiscard]] virtual double trial_score(std::span<const double> sums) const = 0;

  /// Statistics of all lines. Throws Error for an empty corpus, mismatched lengths (see CorpusOptions) and invalid
  /// UTF-8.
  [[nodiscard]] Statistics statistics(const std::vector<std::string>& hypotheses, const References& references,
                                      const CorpusOptions& options = {}) const;
  /// Statistics of a single line.
  [[nodiscard]] Statistics statistics(std::string_view hypothesis, const std::vector<std::string>& references) const;
  /// The score without the metric's own details; BLEU::corpus_score and its kin give those too.
  [[nodiscard]] Score evaluate(const std::vector<std::string>& hypotheses, const References& references,
                               const CorpusOptions& options = {}) const;
  [[nodiscard]] Score evaluate_sentence(const std::string& hypothesis,
                                        const std::vector<std::string>& references) const;

 protected:
  friend class CorpusSums;
  /// How many hypotheses look as if they were tokenised already, if the metric cares.
  [[nodiscard]] virtual std::size_t count_tokenised(std::span<const std::string>) const { return 0; }
  /// Told once a corpus how many of its hypotheses do, before anything that is computed from it.
  virtual void inspect(std::size_t tokenised) const { static_cast<void>(tokenised); }
  /// Told once a call of sentence_score.
  virtual void inspect_sentence() const {}
  /// Writes the statistics of a part's lines into rows [hypotheses, width].
  void write_rows(std::span<const std::string> hypotheses, const References& references, const CorpusPart& part,
                  int threads, std::span<double> rows) const;
  /// Throws Error for a corpus of several lines in which nothing is counted.
  void require_width(std::size_t lines) const;
  /// Adds interval and its signature keys when options ask for them.
  void add_confidence(Score& score, const Statistics& statistics, const CorpusOptions& options) const;
};

}  // namespace sacrebleu
