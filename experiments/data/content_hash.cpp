#include "experiments/data/content_hash.h"

#include "experiments/data/corpus.h"
#include "experiments/data/text_facts.h"
#include "support/files.h"
#include "support/sha256.h"

namespace attnlab::data {
namespace {

std::string hash_of_text(const spec::DataConfig& data, const std::filesystem::path& cache) {
  if (!data.generator.empty() || data.dir.empty()) return load_corpus(data).content_hash;
  if (!cache.empty())
    if (const auto kept = kept_text_facts(cache, digest_of_files(data))) return kept->content_hash;
  return read_text_facts(data).content_hash;
}

}  // namespace

std::string content_hash(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer,
                         const std::filesystem::path& cache) {
  const auto model = [](const std::string& path, std::string_view key) {
    return path.empty() ? std::string("none") : sha256_hex(read_file(path, key));
  };
  return sha256_hex(hash_of_text(data, cache) + " " + model(tokenizer.model, "tokenizer.model") + " " +
                    model(tokenizer.source_model, "tokenizer.source_model") + " " +
                    model(tokenizer.target_model, "tokenizer.target_model"));
}

std::string tokenizers_hash(const tokenizer::Tokenizer& source, const tokenizer::Tokenizer& target) {
  const std::string first = sha256_hex(source.bytes());
  return sha256_hex(first + (target.bytes() == source.bytes() ? first : sha256_hex(target.bytes())));
}

}  // namespace attnlab::data
