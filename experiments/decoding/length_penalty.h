#pragma once
/// What a hypothesis' log-probability is divided by before hypotheses of different lengths are compared.

#include <cstdint>
#include <string>

namespace attnlab::decoding {

/// score(Y) = log P(Y) / penalty(|Y|). |Y| counts the end mark, so it is the number of factors of P(Y); a hypothesis
/// cut at the maximal length has no end mark to count.
class LengthPenalty {
 public:
  enum class Rule {
    gnmt,     ///< ((5 + |Y|) / 6)^alpha (Wu et al. 2016, equation 14; the paper's section 6.1)
    average,  ///< |Y|^alpha; alpha 1 is the mean log-probability of a token
    none      ///< 1
  };

  LengthPenalty(Rule rule, double alpha) : rule_(rule), alpha_(alpha) {}
  /// `gnmt`, `average` or `none`. Throws attnlab::Error for another name or an alpha that is not finite.
  static LengthPenalty named(const std::string& rule, double alpha);

  /// The score of a hypothesis of `length` >= 1 tokens.
  double score(double log_probability, int64_t length) const;

  /// The best score that any continuation of a hypothesis with this log-probability can reach if it ends with between
  /// `shortest` and `longest` tokens: tokens never raise the log-probability, and the penalty is monotonous in the
  /// length.
  double bound(double log_probability, int64_t shortest, int64_t longest) const;

 private:
  Rule rule_;
  double alpha_;
};

}  // namespace attnlab::decoding
