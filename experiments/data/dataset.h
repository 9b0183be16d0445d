#pragma once
/// A corpus made ready for a model: tokenizers trained or loaded, all pairs encoded, both cached in a folder.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "experiments/data/corpus.h"
#include "experiments/data/encoded_file.h"
#include "experiments/data/pairs.h"
#include "experiments/spec/run_config.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::data {

/// One run's data in ids and, of what is scored, in text. The ids lie in a file that is mapped into memory. `train` may
/// be shorter than what was read (pairs with an empty side and over-long pairs are dropped and counted in
/// `corpus.train.dropped`); `valid` and `test` have one entry for each line of the corpus.
struct Dataset {
  Corpus corpus;                                            ///< the training split without its text
  tokenizer::Tokenizer source_tokenizer, target_tokenizer;  ///< the same model when shared
  std::shared_ptr<const EncodedFile> encoded;               ///< holds the pairs
  Pairs train, valid, test;
  std::string tokenizer_hash;    ///< of the model files: part of a run's identity
  std::string tokenizer_sample;  ///< "1000000 of 5800000 lines, drawn" if a tokenizer was trained on a part; or empty
  std::vector<std::string> warnings;  ///< for the person, one line each: cropped sentences with their line numbers,
                                      ///< what is not kept of the text, a vocabulary smaller than asked for, damaged
                                      ///< files of the cache
};

/// Trains the tokenizers that `load_dataset` would train, where `cache` does not have them yet: what is wrong with
/// their settings is known before anything else is done. Throws attnlab::Error.
void prepare_tokenizers(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer,
                        const std::filesystem::path& cache);

/// Loads the corpus, trains or loads the tokenizers and encodes. `cache` is a folder that runs share: tokenizers are
/// kept there under the hash of their input and settings, encoded ids beside them, and what is known of the text's
/// files; several processes may use it at the same time. A tokenizer is trained on at most a million lines, drawn from
/// all. Training text is never held as a whole, so that memory does not grow with it.
Dataset load_dataset(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer,
                     const std::filesystem::path& cache);

}  // namespace attnlab::data
