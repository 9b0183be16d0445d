#include "experiments/results/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>

#include "sacrebleu/random.h"

namespace attnlab::results {
namespace {

/// A denominator of the continued fraction that is kept away from 0.
double away_from_zero(double value) {
  constexpr double kTiny = 1e-300;
  return std::abs(value) < kTiny ? kTiny : value;
}

/// The continued fraction of I_x(a, b); converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  const auto advance = [&](double numerator) {
    d = 1 / away_from_zero(1 + numerator * d);
    c = away_from_zero(1 + numerator / c);
    fraction *= c * d;
    return std::abs(c * d - 1);
  };
  for (int m = 1; m <= 1000; ++m) {
    advance(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    if (advance(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))) < 1e-16) break;
  }
  return fraction;
}

/// The value at a share p of sorted values, between two ranks by linear interpolation.
double percentile(const std::vector<double>& sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> sample_sd(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double center = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_t_cdf(double t, double df) {
  const double tail = 0.5 * incomplete_beta(df / 2, 0.5, df / (df + t * t));
  return t > 0 ? 1 - tail : tail;
}

double student_t_quantile(double p, double df) {
  if (p < 0.5) return -student_t_quantile(1 - p, df);
  double low = 0, high = 1;
  while (student_t_cdf(high, df) < p && high < 1e300) high *= 2;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (student_t_cdf(middle, df) < p ? low : high) = middle;
  }
}

PairedDifference paired_difference(const std::vector<double>& differences, double confidence) {
  PairedDifference result;
  result.mean = mean(differences);
  result.n = static_cast<int>(differences.size());
  const auto sd = sample_sd(differences);
  if (!sd) return result;
  const double df = result.n - 1;
  const double error = *sd / std::sqrt(static_cast<double>(result.n));
  const double reach = student_t_quantile(0.5 + confidence / 2, df) * error;
  result.low = result.mean - reach;
  result.high = result.mean + reach;
  if (error > 0) {
    const double t = result.mean / error;
    result.p = incomplete_beta(df / 2, 0.5, df / (df + t * t));
  } else {
    result.p = result.mean == 0 ? 1.0 : 0.0;
  }
  return result;
}

std::optional<Interval> bootstrap_interval(const std::vector<double>& values, double confidence) {
  if (values.size() < static_cast<size_t>(kFewestToResample)) return std::nullopt;
  sacrebleu::Pcg64 generator(std::to_string(kResamplingSeed));
  const auto n = static_cast<uint32_t>(values.size());
  std::vector<double> means(kResamples);
  for (double& resampled : means) {
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i) sum += values[generator.below(n)];
    resampled = sum / n;
  }
  std::sort(means.begin(), means.end());
  return Interval{percentile(means, (1 - confidence) / 2), percentile(means, (1 + confidence) / 2)};
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace attnlab::results
