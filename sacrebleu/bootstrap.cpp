#include "sacrebleu/bootstrap.h"

#include <algorithm>

#include "sacrebleu/parallel.h"

namespace sacrebleu {
namespace {

/// NumPy's pairwise summation: blocks of up to 128 with eight running sums, halves of larger arrays.
template <class Real>
Real pairwise_sum(const Real* values, std::size_t count) {
  if (count < 8) {
    Real sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += values[i];
    return sum;
  }
  if (count > 128) {
    std::size_t half = count / 2;
    half -= half % 8;
    return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
  }
  Real r[8];
  std::copy(values, values + 8, r);
  std::size_t i = 8;
  for (; i < count - count % 8; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) r[k] += values[i + k];
  }
  Real sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (; i < count; ++i) sum += values[i];
  return sum;
}

bool all_single(const std::vector<SampleScore>& scores) {
  return std::all_of(scores.begin(), scores.end(), [](const SampleScore& score) { return score.single; });
}

std::vector<double> sorted_values(const std::vector<SampleScore>& scores) {
  std::vector<double> values;
  for (const auto& score : scores) values.push_back(score.value);
  std::sort(values.begin(), values.end());
  return values;
}

double half_width(const std::vector<double>& sorted, bool single) {
  const std::size_t lower = sorted.size() / 40, upper = sorted.size() - lower - 1;
  if (single) return 0.5F * (static_cast<float>(sorted[upper]) - static_cast<float>(sorted[lower]));
  return 0.5 * (sorted[upper] - sorted[lower]);
}

/// Python's statistics.mean, which sums exactly.
double exact_mean(const std::vector<double>& values, bool single) {
  long double sum = 0, lost = 0;
  for (const double value : values) {
    const long double next = sum + value;
    lost += std::abs(sum) >= std::abs(static_cast<long double>(value)) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  const auto mean = static_cast<double>((sum + lost) / static_cast<long double>(values.size()));
  return single ? static_cast<float>(mean) : mean;
}

}  // namespace

void draw_resamples(Pcg64& generator, std::size_t samples, std::size_t lines,
                    const std::function<void(std::size_t, const std::vector<std::uint32_t>&)>& work) {
  constexpr std::size_t kBlockIndices = std::size_t{1} << 22U;
  const std::size_t block = std::max<std::size_t>(1, kBlockIndices / lines);
  std::vector<std::uint32_t> rows;
  for (std::size_t first = 0; first < samples; first += block) {
    rows.resize(std::min(block, samples - first) * lines);
    for (auto& row : rows) row = generator.below(static_cast<std::uint32_t>(lines));
    work(first, rows);
  }
}

void SingleStatistics::sum(std::span<const std::uint32_t> lines, std::vector<float>& sums) const {
  sums.assign(width_, 0.0F);
  for (const std::uint32_t line : lines) {
    const float* row = values_.data() + line * width_;
    for (std::size_t k = 0; k < width_; ++k) sums[k] += row[k];
  }
}

void score_resamples(const Metric& metric, const SingleStatistics& statistics, std::size_t first,
                     const std::vector<std::uint32_t>& rows, std::size_t lines, NumpyRules rules, int threads,
                     std::vector<SampleScore>& scores) {
  parallel_for(rows.size() / lines, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<float> sums;
    for (std::size_t s = begin; s < end; ++s) {
      statistics.sum(std::span(rows).subspan(s * lines, lines), sums);
      scores[first + s] = metric.sample_score(sums, rules);
    }
  });
}

Interval bootstrap_interval(const Metric& metric, const Statistics& statistics, const CorpusOptions& options) {
  std::vector<SampleScore> scores(static_cast<std::size_t>(options.bootstrap_samples));
  const SingleStatistics single(statistics);
  Pcg64 generator(options.seed);
  draw_resamples(
      generator, scores.size(), statistics.rows, [&](std::size_t first, const std::vector<std::uint32_t>& rows) {
        score_resamples(metric, single, first, rows, statistics.rows, options.numpy, options.threads, scores);
      });
  const auto sorted = sorted_values(scores);
  const bool is_single = all_single(scores);
  return {exact_mean(sorted, is_single), half_width(sorted, is_single)};
}

Interval numpy_interval(const std::vector<SampleScore>& scores) {
  const auto sorted = sorted_values(scores);
  const bool is_single = all_single(scores);
  return {numpy_mean(sorted, is_single), half_width(sorted, is_single)};
}

double numpy_mean(std::span<const double> values, bool single) {
  const auto count = static_cast<double>(values.size());
  if (!single) return pairwise_sum(values.data(), values.size()) / count;
  const std::vector<float> floats(values.begin(), values.end());
  return static_cast<float>(pairwise_sum(floats.data(), floats.size()) / count);
}

}  // namespace sacrebleu
