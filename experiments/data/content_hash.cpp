#include "experiments/data/content_hash.h"

#include "experiments/data/corpus.h"
#include "support/files.h"
#include "support/sha256.h"

namespace attnlab::data {

std::string content_hash(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer) {
  const auto model = [](const std::string& path, std::string_view key) {
    return path.empty() ? std::string("none") : sha256_hex(read_file(path, key));
  };
  return sha256_hex(load_corpus(data).content_hash + " " + model(tokenizer.model, "tokenizer.model") + " " +
                    model(tokenizer.source_model, "tokenizer.source_model") + " " +
                    model(tokenizer.target_model, "tokenizer.target_model"));
}

std::string tokenizers_hash(const tokenizer::Tokenizer& source, const tokenizer::Tokenizer& target) {
  const std::string first = sha256_hex(source.bytes());
  return sha256_hex(first + (target.bytes() == source.bytes() ? first : sha256_hex(target.bytes())));
}

}  // namespace attnlab::data
