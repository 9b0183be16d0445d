#include "experiments/data/text_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/data/parallel_text.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;

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

bool has_antecedents(const Split& split) {
  return std::any_of(split.gold.begin(), split.gold.end(), [](const Gold& gold) { return gold.pronoun >= 0; });
}

/// The text of each file, by its name.
std::map<std::string, std::string> as_text(const Corpus& corpus, const spec::DataConfig& config) {
  std::map<std::string, std::string> files;
  const std::array<std::pair<SplitName, const Split*>, 3> splits = {
      {{SplitName::train, &corpus.train}, {SplitName::valid, &corpus.valid}, {SplitName::test, &corpus.test}}};
  const bool antecedents =
      has_antecedents(corpus.train) || has_antecedents(corpus.valid) || has_antecedents(corpus.test);
  for (const auto& [split_name, split] : splits) {
    // Under these names `data.dir` finds them again.
    const std::string stem = fs::path(stem_of(config, split_name)).filename().string();
    const auto add = [&](std::string_view suffix, std::string text) {
      const std::string name = fmt::format("{}.{}", stem, suffix);
      if (!files.emplace(name, std::move(text)).second)
        throw Error(
            fmt::format("two files would be called '{}': data.train, data.valid and data.test must differ, and "
                        "data.source and data.target",
                        name));
    };
    add(config.source, fmt::format("{}\n", fmt::join(split->source, "\n")));
    add(config.target, fmt::format("{}\n", fmt::join(split->target, "\n")));
    if (split->gold.empty()) continue;
    add("align", gold_lines(split->gold, pharaoh));
    if (antecedents) add("antecedent", gold_lines(split->gold, antecedent));
  }
  return files;
}

}  // namespace

void write_as_text(const Corpus& corpus, const spec::DataConfig& config, const fs::path& folder, Replace replace) {
  const auto files = as_text(corpus, config);
  make_folder(folder);
  for (const auto& [name, text] : files) require_writable(folder / name, replace);
  for (const auto& [name, text] : files) write_file_atomically(folder / name, text);
}

}  // namespace attnlab::data
