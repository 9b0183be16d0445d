#pragma once
/// What a run reads from outside its configuration, as one hash.

#include <filesystem>
#include <string>

#include "experiments/spec/run_config.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::data {

/// Hash of the corpus and of the given tokenizer models: the same text under another path has the same hash. What a run
/// has kept of the files in the folder `cache` is used; nothing is written there. Throws attnlab::Error if something
/// cannot be read.
std::string content_hash(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer,
                         const std::filesystem::path& cache = {});

/// Hash of the models of both sides, as a run's record and its checkpoints have it.
std::string tokenizers_hash(const tokenizer::Tokenizer& source, const tokenizer::Tokenizer& target);

}  // namespace attnlab::data
