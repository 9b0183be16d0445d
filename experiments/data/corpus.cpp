#include "experiments/data/corpus.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "experiments/data/generate/registry.h"
#include "experiments/data/parallel_text.h"
#include "support/error.h"
#include "support/files.h"
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

/// One line of `show` for each pair.
template <typename Show>
std::string gold_lines(const std::vector<Gold>& gold, Show show) {
  std::string text;
  for (const Gold& one : gold) text += show(one) + '\n';
  return text;
}

std::string pharaoh(const Gold& gold) {
  std::string text;
  for (const auto& [source, target] : gold.alignment)
    text += fmt::format("{}{}-{}", text.empty() ? "" : " ", source, target);
  return text;
}

std::string antecedent(const Gold& gold) {
  return gold.pronoun < 0 ? std::string() : fmt::format("{} {}", gold.pronoun, gold.antecedent);
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

void write_as_text(const Corpus& corpus, const spec::DataConfig& config, const std::filesystem::path& folder) {
  if (config.source == config.target)
    throw Error(
        fmt::format("data.source and data.target are both '{}': the two sides would be one file", config.source));
  make_folder(folder);
  const std::array<std::pair<SplitName, const Split*>, 3> splits = {
      {{SplitName::train, &corpus.train}, {SplitName::valid, &corpus.valid}, {SplitName::test, &corpus.test}}};
  for (const auto& [name, split] : splits) {
    // Under these names `data.dir` finds them again.
    const std::string stem = std::filesystem::path(stem_of(config, name)).filename().string();
    const auto write = [&](std::string_view suffix, const std::string& text) {
      write_file_atomically(folder / fmt::format("{}.{}", stem, suffix), text);
    };
    write(config.source, fmt::format("{}\n", fmt::join(split->source, "\n")));
    write(config.target, fmt::format("{}\n", fmt::join(split->target, "\n")));
    if (split->gold.empty()) continue;
    write("align", gold_lines(split->gold, pharaoh));
    write("antecedent", gold_lines(split->gold, antecedent));
  }
}

}  // namespace attnlab::data
