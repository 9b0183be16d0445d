#pragma once
/// Tokenizer models from files, and those that runs train, which are kept in a folder that all runs share:
/// `tokenizer-<hash of text and settings>.model`, and beside it `.model.sha256`, a line that `sha256sum -c`
/// understands.

#include <filesystem>
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

/// The model that training on `lines` gives: from `cache`, or trained and put there; several processes may do so at the
/// same time. What is in the cache is held against its checksum: a damaged model is trained again, and one without a
/// checksum (older versions wrote none) gets it; both are said in `warnings`,
/// as is text that did not give what was asked for of this `side` ("source"). Throws attnlab::Error.
LoadedModel trained_model(std::string_view side, const std::vector<std::string_view>& lines,
                          const spec::TokenizerConfig& config, const std::filesystem::path& cache,
                          std::vector<std::string>& warnings);

}  // namespace attnlab::data
