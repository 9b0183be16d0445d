#pragma once
/// The formula of BLEU from summed counts, for every kind of number that the original feeds it with.

#include <cmath>
#include <span>
#include <vector>

#include "sacrebleu/bleu.h"
#include "sacrebleu/python_number.h"

namespace sacrebleu {

struct BleuFormula {
  Smoothing smoothing = Smoothing::exp;
  double smooth_value = 0;
  bool effective_order = false;

  struct Result {
    double score = 0, bp = 1;
    std::vector<double> precisions;
  };

  /// counts and totals per order; they are changed by add-k. `store` is what writing into the original's array does to
  /// a number: nothing for Python lists, truncation for int64, rounding for float32.
  template <class Number, class Store>
  [[nodiscard]] Result operator()(std::vector<Number>& counts, std::vector<Number>& totals, long sys_len, long ref_len,
                                  Store store) const {
    Result result;
    result.precisions.assign(counts.size(), 0.0);
    if (sys_len < ref_len) {
      result.bp = sys_len > 0 ? std::exp(1 - static_cast<double>(ref_len) / static_cast<double>(sys_len)) : 0.0;
    }
    bool any = false;
    for (const Number& count : counts) any = any || value_of(count) != 0;
    if (!any) return result;

    double halving = 1;
    std::size_t effective = counts.size();
    for (std::size_t n = 0; n < counts.size(); ++n) {
      if (smoothing == Smoothing::add_k && n > 0) {
        counts[n] = store(counts[n] + Number(smooth_value));
        totals[n] = store(totals[n] + Number(smooth_value));
      }
      if (value_of(totals[n]) == 0) break;
      if (effective_order) effective = n + 1;
      if (value_of(counts[n]) != 0) {
        result.precisions[n] = value_of(Number(100.0) * counts[n] / totals[n]);
      } else if (smoothing == Smoothing::exp) {
        halving *= 2;
        result.precisions[n] = value_of(Number(100.0) / (Number(halving) * totals[n]));
      } else if (smoothing == Smoothing::floor) {
        result.precisions[n] = value_of(Number(100.0 * smooth_value) / totals[n]);
      }
    }
    double sum = 0;
    for (std::size_t n = 0; n < effective; ++n) sum += floored_log(result.precisions[n]);
    result.score = result.bp * std::exp(sum / static_cast<double>(effective));
    return result;
  }

 private:
  /// log 0 is a very low number rather than minus infinity.
  static double floored_log(double value) {
    if (value < 0) throw Error(ErrorKind::value, "a precision is below 0: the smoothing value must not be negative");
    return value == 0 ? -9999999999.0 : std::log(value);
  }
};

}  // namespace sacrebleu
