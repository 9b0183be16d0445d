#pragma once
/// The score of a corpus that comes in blocks of lines: what is held does not grow with it.

#include <exception>
#include <span>
#include <string>
#include <vector>

#include "sacrebleu/metric.h"

namespace sacrebleu {

/// How many lines are scored at a time: enough for many threads, a few MB of text and statistics.
inline constexpr std::size_t kBlockLines = 20'000;

/// Sums of the statistics of lines, from the first to the last: the same bits as Statistics::sum().
class CorpusSums {
 public:
  /// For a corpus of that many lines; `metric` must outlive the sums.
  CorpusSums(const Metric& metric, std::size_t lines, int threads)
      : metric_(&metric), lines_(lines), threads_(threads) {}

  /// Adds the next lines, which are all that `references` has. Never throws: an error of theirs comes with the score.
  void add(std::span<const std::string> hypotheses, const References& references);

  /// The score when all lines have been added, `references` as in Statistics. First the metric tells what it thinks of
  /// the hypotheses, then the first error of `add` is thrown, if any: as if all lines had been given at once.
  [[nodiscard]] Score score(int references) const;

 private:
  const Metric* metric_;
  std::size_t lines_;
  int threads_;
  std::size_t added_ = 0, tokenised_ = 0;
  std::vector<double> rows_, sums_;
  std::exception_ptr error_;
};

}  // namespace sacrebleu
