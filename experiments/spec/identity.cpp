#include "experiments/spec/identity.h"

#include "support/sha256.h"

namespace attnlab::spec {

std::string identity(const RunConfig& config, std::string_view content) {
  Writer writer;
  return identity(writer, config, content);
}

std::string identity(Writer& writer, const RunConfig& config, std::string_view content) {
  RunConfig copy = config;
  copy.seed = 0;
  if (!content.empty()) {
    copy.data.dir.clear();
    copy.tokenizer.model.clear();
    copy.tokenizer.source_model.clear();
    copy.tokenizer.target_model.clear();
  }
  Sha256 digest;
  digest.update(writer.canonical_text(copy));
  digest.update("\n");
  digest.update(content);
  return digest.hex().substr(0, 8);
}

}  // namespace attnlab::spec
