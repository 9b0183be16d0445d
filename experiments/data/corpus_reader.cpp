#include "experiments/data/corpus_reader.h"

#include <utility>

#include "experiments/data/pair_stream.h"
#include "support/error.h"

namespace attnlab::data {

CorpusReader::CorpusReader(const spec::DataConfig& config, const std::filesystem::path& cache) : config_(config) {
  if (config.generator.empty() && !config.dir.empty()) {
    open_files(cache);
    return;
  }
  corpus_ = load_corpus(config);
  facts_ = facts_of(corpus_);
  generated_.source = std::exchange(corpus_.train.source, {});
  generated_.target = std::exchange(corpus_.train.target, {});
  corpus_.train.gold.clear();
}

void CorpusReader::open_files(const std::filesystem::path& cache) {
  files_ = digest_of_files(config_);
  if (const auto kept = kept_text_facts(cache, files_)) {
    facts_ = *kept;
  } else {
    facts_ = read_text_facts(config_);
    require_unchanged();
    keep_text_facts(cache, files_, facts_);
  }
  corpus_ = load_scored_splits(config_);
  corpus_.content_hash = facts_.content_hash;
  corpus_.train.read = facts_.train_read;
  corpus_.train.warnings = warnings_of(config_, SplitName::train, facts_.source_notes, facts_.target_notes);
  if (facts_.train_empty > 0) corpus_.train.dropped["empty"] = facts_.train_empty;
}

std::vector<std::string> CorpusReader::warnings_of_long_lines(bool of_sources, bool of_targets) const {
  const auto none = std::vector<std::string>();
  const auto sources = of_sources ? facts_.long_sources.notes() : none;
  const auto targets = of_targets ? facts_.long_targets.notes() : none;
  if (!files_.empty()) return warnings_of(config_, SplitName::train, sources, targets);
  std::vector<std::string> warnings;
  for (const std::string& note : sources) warnings.push_back("training sources: " + note);
  for (const std::string& note : targets) warnings.push_back("training targets: " + note);
  return warnings;
}

void CorpusReader::each_training_pair(const TakePair& take) const {
  std::string source, target;
  if (files_.empty()) {
    for (size_t i = 0; i < generated_.source.size(); ++i) {
      source = generated_.source[i];
      target = generated_.target[i];
      take(source, target);
    }
    return;
  }
  PairStream stream(config_, SplitName::train);
  while (stream.next(source, target)) take(source, target);
}

void CorpusReader::require_unchanged() const {
  if (!files_.empty() && digest_of_files(config_) != files_)
    throw Error("data.dir: the files in '" + config_.dir + "' were changed while they were read; start again");
}

}  // namespace attnlab::data
