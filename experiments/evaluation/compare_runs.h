#pragma once
/// Are the translations of one run better than those of another? Paired significance tests over the sentences of one
/// test set: bootstrap resampling (Koehn, 2004) and approximate randomisation (Riezler and Maxwell, 2005), as sacreBLEU
/// does them. They know nothing of the spread over seeds, which the table of a sweep is about.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/run_config.h"
#include "sacrebleu/significance.h"

namespace attnlab::evaluation {

struct ComparisonOptions {
  std::string metric = "bleu";  ///< one of spec::score_names
  sacrebleu::PairedTest test = sacrebleu::PairedTest::bootstrap;
  int samples = 0;        ///< resamples or trials; 0: sacreBLEU's 1,000 resamples or 10,000 trials
  uint64_t seed = 12345;  ///< above 0; sacreBLEU's default
  int threads = 1;        ///< changes the time only
};

/// A score and its 95 % bootstrap interval, in points: 0-100, TER from 0 and lower is better.
struct RunScore {
  double score = 0;
  sacrebleu::Interval interval;
};

struct RunComparison {
  std::string metric;     ///< "BLEU", "chrF2" or "TER"
  std::string signature;  ///< of metric and test
  int samples = 0;        ///< resamples or trials of the test
  std::size_t lines = 0, differing_lines = 0;
  RunScore first, second;
  RunScore difference;  ///< second minus first; the interval is that of paired bootstrap, whatever the test
  /// How likely so large a difference, of either sign, is if both runs are equally good. sacreBLEU's, except that it is
  /// 1 when both have the same statistics in every line, where sacreBLEU gives 1 / (samples + 1).
  double p_value = 1;
};

/// Compares two translations of the same lines. Throws attnlab::Error for different lengths, no lines, bytes that are
/// not UTF-8, fewer than 2 samples or a seed of 0.
RunComparison compare_translations(const std::vector<std::string>& first, const std::vector<std::string>& second,
                                   const std::vector<std::string>& references, const spec::EvaluationConfig& config,
                                   const ComparisonOptions& options);

/// Compares the test translations of two completed runs, set up by `evaluation` of their config.json. The references
/// are those that the runs kept, or the lines of `references` if that names a file. Throws attnlab::Error if a folder
/// holds no completed run, or if the runs have other references or evaluation settings.
RunComparison compare_runs(const std::filesystem::path& first, const std::filesystem::path& second,
                           const ComparisonOptions& options, const std::filesystem::path& references = {});

}  // namespace attnlab::evaluation
