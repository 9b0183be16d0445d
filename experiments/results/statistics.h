#pragma once
/// Statistics over seeds: spread, Student's t, paired differences, the bootstrap and Holm's correction. Plain numbers
/// in and out.

#include <cstdint>
#include <optional>
#include <vector>

namespace attnlab::results {

/// Arithmetic mean; `values` must not be empty.
double mean(const std::vector<double>& values);

/// Sample standard deviation (divisor n - 1); nothing for n < 2.
std::optional<double> sample_sd(const std::vector<double>& values);

/// Regularised incomplete beta function I_x(a, b), a and b > 0, x in [0, 1] (continued fraction, modified Lentz).
double incomplete_beta(double a, double b, double x);

/// P(T <= t) of Student's t with `df` degrees of freedom (> 0).
double student_t_cdf(double t, double df);

/// The t with P(T <= t) = p; p in (0, 1).
double student_t_quantile(double p, double df);

/// The mean of paired differences, with what can be said of it. Interval and p are there from n = 2 on.
struct PairedDifference {
  double mean = 0;
  int n = 0;                        ///< pairs
  std::optional<double> low, high;  ///< t interval of the mean
  std::optional<double> p;          ///< two-sided, of the hypothesis that the mean is 0
};

/// The paired t test of `differences` (not empty). Equal differences have an interval of no width; then p is 1 if they
/// are 0, else 0.
PairedDifference paired_difference(const std::vector<double>& differences, double confidence = 0.95);

/// Fewer values than this are not resampled: their resamples are too few different ones to tell a tail.
inline constexpr int kFewestToResample = 5;

/// Resamples of the bootstrap over seeds, and the seed of their generator (NumPy's PCG64, so that NumPy gives the same
/// interval).
inline constexpr int kResamples = 10000;
inline constexpr uint64_t kResamplingSeed = 12345;

struct Interval {
  double low = 0, high = 0;
};

/// The percentile bootstrap interval of the mean (Efron and Tibshirani 1993, section 13.3): the values are drawn with
/// replacement `kResamples` times, and the interval holds the middle `confidence` of the means, with linear
/// interpolation between ranks. Nothing below `kFewestToResample` values.
std::optional<Interval> bootstrap_interval(const std::vector<double>& values, double confidence = 0.95);

/// Holm's step-down adjustment (Holm 1979): p-values that may be compared with the level directly, in the order given.
std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace attnlab::results
