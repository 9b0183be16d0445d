#include "experiments/data/corpus.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "experiments/data/generate/registry.h"
#include "experiments/data/parallel_text.h"
#include "support/error.h"
#include "support/sha256.h"

namespace attnlab::data {
namespace {

std::string hash_of(const Corpus& corpus) {
  Sha256 digest;
  for (const Split* split : {&corpus.train, &corpus.valid, &corpus.test})
    for (const auto* side : {&split->source, &split->target}) {
      digest.update(fmt::format("{} lines\n", side->size()));
      for (const std::string& line : *side) {
        digest.update(line);
        digest.update("\n");
      }
    }
  return digest.hex();
}

}  // namespace

std::string_view name_of(SplitName name) {
  constexpr std::array<std::string_view, 3> names = {"train", "valid", "test"};
  return names[static_cast<size_t>(name)];
}

Corpus load_corpus(const spec::DataConfig& config) {
  Corpus corpus;
  if (!config.generator.empty()) {
    corpus = generate(config);
  } else {
    if (config.dir.empty())
      throw Error("data: a generator or a folder with text files (dir) was expected, both are empty");
    corpus.train = load_parallel_text(config, SplitName::train);
    corpus.valid = load_parallel_text(config, SplitName::valid);
    corpus.test = load_parallel_text(config, SplitName::test);
  }
  corpus.content_hash = hash_of(corpus);
  return corpus;
}

}  // namespace attnlab::data
