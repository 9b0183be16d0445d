#pragma once
/// The trials of approximate randomisation: for each, the summed statistics of two systems that swap some of their
/// lines.

#include <cstdint>
#include <span>
#include <vector>

#include "sacrebleu/metric.h"
#include "sacrebleu/random.h"

namespace sacrebleu {

/// Coin tosses for consecutive trials, eight lines a byte; a set bit keeps the line in its own system.
class TrialMasks {
 public:
  TrialMasks(Pcg64& generator, std::size_t trials, std::size_t lines);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Draws the next `count` trials.
  void draw(std::size_t count);
  [[nodiscard]] const std::uint8_t* trial(std::size_t i) const { return masks_.data() + i * bytes_; }

 private:
  BoolStream bits_;
  std::size_t lines_, bytes_;
  std::vector<std::uint8_t> masks_;
};

/// |score(A) - score(B)| of the trials first, first + 1, ... that masks holds now.
void score_trials(const Metric& metric, const Statistics& baseline, const Statistics& system, const TrialMasks& masks,
                  std::span<double> differences, int threads);

}  // namespace sacrebleu
