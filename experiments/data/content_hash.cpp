#include "experiments/data/content_hash.h"

#include "experiments/data/corpus.h"
#include "support/files.h"
#include "support/sha256.h"

namespace attnlab::data {

std::string content_hash(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer) {
  std::string parts = load_corpus(data).content_hash;
  for (const std::string* model : {&tokenizer.model, &tokenizer.source_model, &tokenizer.target_model}) {
    parts += " " + (model->empty() ? std::string("-") : sha256_hex(read_file(*model, "tokenizer model")));
  }
  return sha256_hex(parts);
}

}  // namespace attnlab::data
