#pragma once
/// A score with its confidence interval and signature, and its printed forms.

#include <optional>
#include <string>

#include "sacrebleu/signature.h"

namespace sacrebleu {

/// Text for people, or the original's JSON object (one key a line).
enum class ScoreFormat { text, json };

/// A mean and half the width of the 95 % interval of bootstrap samples, in points of the score.
struct Interval {
  double mean = 0;
  double half_width = 0;
};

/// What every metric returns. Scores run from 0 to 100 (TER may exceed 100; a perfect BLEU is 100.00000000000004).
struct Score {
  std::string name;                    ///< "BLEU", "chrF2++", "TER"
  double score = 0;                    ///< points, 0-100
  std::string verbose;                 ///< BLEU: precisions, brevity penalty and lengths; empty otherwise
  std::optional<Interval> confidence;  ///< set when a bootstrap was asked for
  Signature signature;

  struct Format {
    int width = 2;                           ///< decimals (the command's default is 1)
    bool score_only = false;                 ///< the number alone, with its interval
    ScoreFormat format = ScoreFormat::text;  ///< score_only wins over json, as in the original
    bool short_signature = false;            ///< short keys; json always has the long ones
  };
  /// The original's string, for example "BLEU|nrefs:1|... = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ...)".
  [[nodiscard]] std::string format(const Format& how) const;
  [[nodiscard]] std::string format() const { return format(Format{}); }

 private:
  [[nodiscard]] std::string json(const Format& how) const;
};

}  // namespace sacrebleu
