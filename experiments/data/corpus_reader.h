#pragma once
/// A corpus whose training text may be larger than memory: it is read as often as it is needed, a pair at a time.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/data/corpus.h"
#include "experiments/data/text_facts.h"
#include "experiments/spec/run_config.h"

namespace attnlab::data {

/// Takes one pair; it may move the text away.
using TakePair = std::function<void(std::string& source, std::string& target)>;

class CorpusReader {
 public:
  /// Reads or generates the validation and test pairs. What has to be known of the training pairs is taken from the
  /// folder `cache`, or learnt and kept there. Throws attnlab::Error as `load_corpus` does.
  CorpusReader(const spec::DataConfig& config, const std::filesystem::path& cache);

  /// The corpus. Its training split has no text: only what was read and dropped.
  const Corpus& corpus() const { return corpus_; }
  /// Of the training pairs, above all.
  const TextFacts& facts() const { return facts_; }

  /// Warnings of the training lines of these sides that are too long to train a tokenizer on, one for each file.
  std::vector<std::string> warnings_of_long_lines(bool of_sources, bool of_targets) const;

  /// Reads the training pairs from the first to the last. Throws attnlab::Error.
  void each_training_pair(const TakePair& take) const;

  /// Throws attnlab::Error if the files no longer hold what they held at the start.
  void require_unchanged() const;

 private:
  void open_files(const std::filesystem::path& cache);

  spec::DataConfig config_;
  Corpus corpus_;
  Split generated_;    // training pairs of a generator
  std::string files_;  // digest of the files; empty for generated data
  TextFacts facts_;
};

}  // namespace attnlab::data
