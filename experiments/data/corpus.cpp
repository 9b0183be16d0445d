#include "experiments/data/corpus.h"

#include <array>

#include "experiments/data/generate/registry.h"
#include "experiments/data/parallel_text.h"
#include "experiments/data/text_facts.h"
#include "support/error.h"

namespace attnlab::data {

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
  corpus.content_hash = facts_of(corpus).content_hash;
  return corpus;
}

Corpus load_scored_splits(const spec::DataConfig& config) {
  if (!config.generator.empty() || config.dir.empty()) return load_corpus(config);
  Corpus corpus;
  corpus.valid = load_parallel_text(config, SplitName::valid);
  corpus.test = load_parallel_text(config, SplitName::test);
  return corpus;
}

}  // namespace attnlab::data
