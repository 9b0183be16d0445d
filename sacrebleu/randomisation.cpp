#include "sacrebleu/randomisation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sacrebleu/parallel.h"

namespace sacrebleu {
namespace {

/// Sums of the statistics of eight lines for each of the 256 ways of choosing among them.
class ByteSums {
 public:
  explicit ByteSums(std::size_t width) : width_(width), sums_(256 * width) {}

  void fill(const Statistics& statistics, std::size_t first) {
    std::fill_n(sums_.begin(), width_, 0.0);
    for (std::size_t bit = 0; bit < 8; ++bit) {
      const std::size_t half = std::size_t{1} << bit;
      const bool exists = first + bit < statistics.rows;
      for (std::size_t i = 0; i < half; ++i) {
        for (std::size_t k = 0; k < width_; ++k) {
          const double added = exists ? statistics.values[(first + bit) * width_ + k] : 0.0;
          sums_[(half + i) * width_ + k] = sums_[i * width_ + k] + added;
        }
      }
    }
  }
  [[nodiscard]] const double* operator[](std::uint8_t choice) const { return sums_.data() + choice * width_; }

 private:
  std::size_t width_;
  std::vector<double> sums_;
};

bool whole_numbers(const Statistics& statistics) {
  return std::all_of(statistics.values.begin(), statistics.values.end(),
                     [](double value) { return value == std::floor(value); });
}

/// Fractions (TER's mean reference length) round, and a rounding decides between trials that tie with the observed
/// difference: as in the original, what is kept and what is swapped are summed apart, line by line, and then added.
void sum_lines(const Statistics& baseline, const Statistics& system, const std::uint8_t* mask, std::span<double> a,
               std::span<double> b) {
  const std::size_t width = baseline.width;
  std::vector<double> swapped_in_a(width), swapped_in_b(width);
  for (std::size_t line = 0; line < baseline.rows; ++line) {
    const bool kept = ((mask[line / 8] >> (line % 8)) & 1) != 0;
    const double* own = baseline.values.data() + line * width;
    const double* other = system.values.data() + line * width;
    for (std::size_t k = 0; k < width; ++k) {
      (kept ? a[k] : swapped_in_b[k]) += own[k];
      (kept ? b[k] : swapped_in_a[k]) += other[k];
    }
  }
  for (std::size_t k = 0; k < width; ++k) {
    a[k] += swapped_in_a[k];
    b[k] += swapped_in_b[k];
  }
}

}  // namespace

TrialMasks::TrialMasks(Pcg64& generator, std::size_t trials, std::size_t lines)
    : bits_(generator), lines_(lines), bytes_((lines + 7) / 8) {
  masks_.reserve(trials * bytes_);
}

void TrialMasks::draw(std::size_t count) {
  masks_.clear();
  for (std::size_t trial = 0; trial < count; ++trial) {
    for (std::size_t line = 0; line < lines_; line += 8) {
      masks_.push_back(
          static_cast<std::uint8_t>(bits_.next(static_cast<int>(std::min<std::size_t>(8, lines_ - line)))));
    }
  }
}

void score_trials(const Metric& metric, const Statistics& baseline, const Statistics& system, const TrialMasks& masks,
                  std::span<double> differences, int threads) {
  const std::size_t width = baseline.width;
  if (!whole_numbers(baseline) || !whole_numbers(system)) {
    parallel_for(differences.size(), threads, [&](std::size_t begin, std::size_t end) {
      std::vector<double> sums(2 * width);
      for (std::size_t trial = begin; trial < end; ++trial) {
        std::fill(sums.begin(), sums.end(), 0.0);
        const auto a = std::span(sums).first(width), b = std::span(sums).last(width);
        sum_lines(baseline, system, masks.trial(trial), a, b);
        differences[trial] = std::abs(metric.trial_score(a) - metric.trial_score(b));
      }
    });
    return;
  }
  const auto shares = static_cast<std::size_t>(std::max(threads, 1));
  // One large share of trials a thread, since each share builds the byte sums anew.
  parallel_for(shares, threads, [&](std::size_t from, std::size_t to) {
    const std::size_t begin = differences.size() * from / shares, end = differences.size() * to / shares;
    std::vector<double> a((end - begin) * width), b(a.size());
    ByteSums own(width), other(width);
    for (std::size_t byte = 0; byte < masks.bytes(); ++byte) {
      own.fill(baseline, byte * 8);
      other.fill(system, byte * 8);
      for (std::size_t trial = begin; trial < end; ++trial) {
        const std::uint8_t kept = masks.trial(trial)[byte];
        const auto swapped = static_cast<std::uint8_t>(~kept);
        double* sum_a = a.data() + (trial - begin) * width;
        double* sum_b = b.data() + (trial - begin) * width;
        const double *own_kept = own[kept], *own_swapped = own[swapped], *other_kept = other[kept],
                     *other_swapped = other[swapped];
        for (std::size_t k = 0; k < width; ++k) {
          // Both sums add the same pairs, so that identical systems give identical sums.
          sum_a[k] += own_kept[k] + other_swapped[k];
          sum_b[k] += own_swapped[k] + other_kept[k];
        }
      }
    }
    for (std::size_t trial = begin; trial < end; ++trial) {
      const std::size_t at = (trial - begin) * width;
      differences[trial] = std::abs(metric.trial_score(std::span(a).subspan(at, width)) -
                                    metric.trial_score(std::span(b).subspan(at, width)));
    }
  });
}

}  // namespace sacrebleu
