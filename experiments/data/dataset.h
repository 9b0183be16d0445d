#pragma once
/// A corpus made ready for a model: tokenizers trained or loaded, all pairs encoded, both cached in a folder.

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/data/batches.h"
#include "experiments/data/corpus.h"
#include "experiments/spec/run_config.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::data {

/// One run's data in text and ids. `train` may be shorter than `corpus.train` (over-long pairs are dropped and counted
/// in `corpus.train.dropped`); `valid` and `test` have one entry for each line of the corpus.
struct Dataset {
  Corpus corpus;
  tokenizer::Tokenizer source_tokenizer, target_tokenizer;  ///< the same model when shared
  std::vector<EncodedPair> train, valid, test;
  std::string tokenizer_hash;         ///< of the model files: part of a run's identity
  std::vector<std::string> warnings;  ///< for the person, one line each: cropped sentences with their line numbers,
                                      ///< what is not kept of the text, a vocabulary smaller than asked for
};

/// Loads the corpus, trains or loads the tokenizers and encodes. `cache` is a folder that runs share: tokenizers are
/// kept there under the hash of their input and settings, and encoded ids beside them; several processes may use it at
/// the same time.
Dataset load_dataset(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer,
                     const std::filesystem::path& cache);

}  // namespace attnlab::data
