#pragma once
/// The F score of chrF from summed counts, for every kind of number that the original feeds it with.

#include <vector>

#include "sacrebleu/error.h"
#include "sacrebleu/python_number.h"

namespace sacrebleu {

struct ChrfFormula {
  int order = 6;  ///< character and word orders together
  int beta = 2;
  bool eps_smoothing = false;

  /// counts: (hypothesis n-grams, reference n-grams, matches) for each order. The order of operations is the
  /// original's, since it decides between references whose scores are all but equal.
  template <class Number>
  [[nodiscard]] Number operator()(const std::vector<Number>& counts) const {
    const Number epsilon(1e-16);
    const double factor = static_cast<double>(beta) * beta;
    Number score(0.0), precisions(0.0), recalls(0.0);
    int effective = 0;
    for (std::size_t i = 0; static_cast<int>(i) < order; ++i) {
      const Number hypothesis = counts[3 * i], reference = counts[3 * i + 1], matches = counts[3 * i + 2];
      const Number precision = value_of(hypothesis) > 0 ? matches / hypothesis : epsilon;
      const Number recall = value_of(reference) > 0 ? matches / reference : epsilon;
      const Number denominator = Number(factor) * precision + recall;
      score = score + (value_of(denominator) > 0 ? Number(1 + factor) * precision * recall / denominator : epsilon);
      if (value_of(hypothesis) > 0 && value_of(reference) > 0) {
        precisions = precisions + precision;
        recalls = recalls + recall;
        ++effective;
      }
    }
    if (eps_smoothing) {
      if (order == 0) throw Error(ErrorKind::zero_division, "chrF with eps_smoothing needs an order above 0");
      return Number(100.0) * score / Number(order);
    }
    if (effective == 0) return Number(0.0);
    precisions = precisions / Number(effective);
    recalls = recalls / Number(effective);
    if (value_of(precisions + recalls) == 0) return Number(0.0);
    score = Number(1 + factor) * precisions * recalls;
    score = score / (Number(factor) * precisions + recalls);
    return Number(100.0) * score;
  }
};

}  // namespace sacrebleu
