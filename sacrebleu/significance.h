#pragma once
/// Paired significance tests between a baseline and other systems: bootstrap resampling (Koehn, 2004) and approximate
/// randomisation (Riezler and Maxwell, 2005), with the original's random numbers.

#include <optional>
#include <string>
#include <vector>

#include "sacrebleu/metric.h"

namespace sacrebleu {

enum class PairedTest {
  bootstrap,     ///< the same resampled lines for both systems; 1000 samples by default
  randomisation  ///< lines are swapped between the systems by coin tosses; 10000 trials by default
};

struct NamedSystem {
  std::string name;
  const std::vector<std::string>* lines;
};

/// p_value is the probability of a difference as large as the observed one, or larger, if both systems were one and the
/// same: (c + 1) / (n + 1) with c the number of samples whose difference is strictly larger. Identical systems
/// therefore get 1 / (n + 1), which reads as significant.
struct PairedResult {
  double score = 0;               ///< 0-100
  std::optional<double> p_value;  ///< none for the baseline
  std::optional<Interval> interval;
};

struct PairedColumn {
  std::string name;  ///< of the score, e.g. "chrF2"
  Signature signature;
  std::vector<PairedResult> results;  ///< one a system, the baseline first
};

struct PairedOptions {
  PairedTest test = PairedTest::randomisation;
  int samples = 0;              ///< resamples or trials; below 1: the default of the test
  int confidence_samples = -1;  ///< randomisation only: bootstrap samples for intervals; 0: 1000, -1: no intervals
  /// A seed of zero leaves the tests (not the baseline's interval) unseeded, as in the original.
  Seed seed = "12345";
  NumpyRules numpy = NumpyRules::numpy2;
  LengthMismatch length_mismatch = LengthMismatch::error;
  int threads = 1;
  Log log;
};

/// The number of samples that options ask for.
int paired_samples(const PairedOptions& options);

/// Compares every system with the first one, by every metric. Throws Error for fewer than two systems.
std::vector<PairedColumn> paired_test(const std::vector<NamedSystem>& systems,
                                      const std::vector<const Metric*>& metrics, const References& references,
                                      const PairedOptions& options = {});

}  // namespace sacrebleu
