#pragma once
/// Bootstrap resampling of lines (Koehn, 2004): the scores of resamples and their 95 % interval.

#include <functional>
#include <vector>

#include "sacrebleu/metric.h"
#include "sacrebleu/random.h"

namespace sacrebleu {

/// Calls work(first, rows) with the line indices of consecutive blocks of resamples, rows[s * lines + i] being the i-th
/// line of sample first + s, drawn as NumPy's generator.choice(lines, (samples, lines)) does. Blocks keep memory small.
void draw_resamples(Pcg64& generator, std::size_t samples, std::size_t lines,
                    const std::function<void(std::size_t first, const std::vector<std::uint32_t>& rows)>& work);

/// Statistics as the original resamples them: float32.
class SingleStatistics {
 public:
  explicit SingleStatistics(const Statistics& statistics)
      : width_(statistics.width), values_(statistics.values.begin(), statistics.values.end()) {}
  /// The float32 sum of the given lines, added one after the other.
  void sum(std::span<const std::uint32_t> lines, std::vector<float>& sums) const;

 private:
  std::size_t width_;
  std::vector<float> values_;
};

/// The scores of a block of resamples go to scores[first ...].
void score_resamples(const Metric& metric, const SingleStatistics& statistics, std::size_t first,
                     const std::vector<std::uint32_t>& rows, std::size_t lines, NumpyRules rules, int threads,
                     std::vector<SampleScore>& scores);

/// The interval of a single system's score.
Interval bootstrap_interval(const Metric& metric, const Statistics& statistics, const CorpusOptions& options);

/// The middle 95 % of the samples and NumPy's mean of them, as paired tests report.
Interval numpy_interval(const std::vector<SampleScore>& scores);

/// numpy.mean of float64 (pairwise summation) or, when single is set, of float32.
double numpy_mean(std::span<const double> values, bool single);

}  // namespace sacrebleu
