#pragma once
/// Sentence pairs as text: the three splits of one run, from files or from a generator.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/spec/run_config.h"

namespace attnlab::data {

/// What a generator knows about one of its pairs, in words (split at blanks) counted from 0.
struct Gold {
  std::vector<std::pair<int, int>> alignment;  ///< (source word, target word), sure links
  int pronoun = -1;                            ///< source word "it" whose reference is in question; -1: none
  int antecedent = -1;                         ///< source word that it refers to
};

/// Parallel lines. `source[i]` and `target[i]` are one pair; raw text, without the line's end.
struct Split {
  std::vector<std::string> source, target;
  std::vector<Gold> gold;  ///< one for each pair, or empty where nothing is known
  std::map<std::string, int64_t>
      dropped;       ///< reason -> pairs left out ("empty", "too long"), for the report "read / kept / dropped"
  int64_t read = 0;  ///< pairs read
  std::vector<std::string> warnings;  ///< for the person, one line each: what is not kept of the text
};

/// The data of one run.
struct Corpus {
  Split train, valid, test;
  std::string content_hash;  ///< of everything above: part of a run's identity
};

/// Which of the three splits.
enum class SplitName { train, valid, test };

/// `train`, `valid` or `test`.
std::string_view name_of(SplitName name);

/// Reads or generates the three splits. Throws attnlab::Error with file and line for unequal line counts, bad UTF-8
/// (unless replaced), missing or unreadable files. Training pairs with an empty side are dropped and counted; test
/// pairs are all kept.
Corpus load_corpus(const spec::DataConfig& config);

/// The same without the training text, which may be large and is not read where it lies in files: that split is empty
/// then, and nothing is hashed.
Corpus load_scored_splits(const spec::DataConfig& config);

}  // namespace attnlab::data
