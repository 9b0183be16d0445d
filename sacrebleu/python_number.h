#pragma once
/// The three kinds of number that score formulas meet in the original, so that each formula is written once as a
/// template: double (Python's int and float, and NumPy's float64), and NumPy's float32 scalars under NumPy 1 or NumPy 2
/// promotion.

#include "sacrebleu/metric.h"

namespace sacrebleu {

/// A float32 scalar, or a Python number that met none yet.
/// NumPy 2: float32 with a Python number stays float32. NumPy 1: it becomes float64; only float32 with float32 stays.
template <NumpyRules rules>
class PromotedNumber {
 public:
  PromotedNumber(double python) : value_(python) {}  // NOLINT(google-explicit-constructor): Python numbers mix freely
  static PromotedNumber from_single(float value) { return {value, true}; }

  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] bool single() const { return single_; }

  friend PromotedNumber operator+(PromotedNumber a, PromotedNumber b) {
    return combine(a, b, [](auto x, auto y) { return x + y; });
  }
  friend PromotedNumber operator*(PromotedNumber a, PromotedNumber b) {
    return combine(a, b, [](auto x, auto y) { return x * y; });
  }
  friend PromotedNumber operator/(PromotedNumber a, PromotedNumber b) {
    return combine(a, b, [](auto x, auto y) { return x / y; });
  }

 private:
  PromotedNumber(double value, bool single) : value_(value), single_(single) {}

  template <class Operation>
  static PromotedNumber combine(PromotedNumber a, PromotedNumber b, Operation operation) {
    const bool single = rules == NumpyRules::numpy2 ? a.single_ || b.single_ : a.single_ && b.single_;
    if (!single) return {operation(a.value_, b.value_), false};
    return {operation(static_cast<float>(a.value_), static_cast<float>(b.value_)), true};
  }

  double value_;
  bool single_ = false;
};

inline double value_of(double number) {
  return number;
}
template <NumpyRules rules>
double value_of(PromotedNumber<rules> number) {
  return number.value();
}

}  // namespace sacrebleu
