#pragma once
/// What a run reads from outside its configuration, as one hash.

#include <string>

#include "experiments/spec/run_config.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::data {

/// Hash of the corpus and of the given tokenizer models: the same text under another path has the same hash. Throws
/// attnlab::Error if something cannot be read.
std::string content_hash(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer);

/// Hash of the models of both sides, as a run's record and its checkpoints have it.
std::string tokenizers_hash(const tokenizer::Tokenizer& source, const tokenizer::Tokenizer& target);

}  // namespace attnlab::data
