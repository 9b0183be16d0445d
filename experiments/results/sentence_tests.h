#pragma once
/// Is a cell better than its baseline on the sentences of the test set? Paired bootstrap and approximate randomisation
/// for each seed that both have. They know nothing of the spread over seeds; the Δ of the table does.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/results/summary.h"

namespace attnlab::results {

/// sacreBLEU's own numbers of samples, and its seed.
inline constexpr int kSentenceResamples = 1000;
inline constexpr int kSentenceTrials = 10000;
inline constexpr uint64_t kSentenceSeed = 12345;

/// One cell against its partner with one seed.
struct SentenceTest {
  size_t cell = 0, partner = 0;
  int64_t seed = 0;
  double partner_score = 0, score = 0;  ///< points
  double low = 0, high = 0;             ///< 95 % bootstrap interval of the difference, points
  double p_bootstrap = 1, p_randomisation = 1;
  size_t lines = 0, differing_lines = 0;
  double difference() const { return score - partner_score; }
};

struct SentenceTests {
  std::string metric;  ///< "BLEU", "chrF2" or "TER"; empty if nothing was tested
  std::string bootstrap_signature, randomisation_signature;
  std::vector<SentenceTest> tests;
  std::vector<std::string> problems;  ///< what could not be compared, and why
};

/// Tests every cell that has a partner in the baseline, for the seeds with which both hold `translations.txt` and
/// `references.txt`, by the main metric if it is BLEU, chrF or TER, else by BLEU. Results are kept in
/// `out/sentence_tests.json` by the content of the files that they depend on, so that only new translations cost time.
SentenceTests test_sentences(const std::filesystem::path& out, const SweepSummary& summary, int threads);

}  // namespace attnlab::results
