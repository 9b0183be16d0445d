#pragma once
/// Tokenizer models from files, and those that runs train, which are kept in a folder that all runs share:
/// `tokenizer-<hash of text and settings>.model`, and beside it `.model.sha256`, a line that `sha256sum -c`
/// understands.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/spec/run_config.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::data {

/// A model with the digest of its bytes.
struct LoadedModel {
  tokenizer::Tokenizer tokenizer;
  std::string hash;
};

/// A model from a file; `key` says whose file it is. Throws attnlab::Error.
LoadedModel load_model(const std::string& path, std::string_view key);

/// The text that a model is trained on.
struct TrainingText {
  std::string side;                                 ///< for messages: "source", "target" or "shared"
  std::string identity;                             ///< tells these lines from all others
  std::vector<std::string> warnings;                ///< of lines that have no part in training
  std::function<std::vector<std::string>()> lines;  ///< reads them, where training needs them
};

/// The model that training on a text gives: from `cache`, or trained and put there; several processes may do so at the
/// same time. What is in the cache is held against its checksum: a damaged model is trained again, which is said in
/// `warnings`, as is text that did not give what was asked for. Throws attnlab::Error.
LoadedModel trained_model(const TrainingText& text, const spec::TokenizerConfig& config,
                          const std::filesystem::path& cache, std::vector<std::string>& warnings);

}  // namespace attnlab::data
