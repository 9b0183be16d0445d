#include "experiments/data/generate/registry.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "experiments/data/generate/copy.h"
#include "experiments/data/generate/pronouns.h"
#include "experiments/data/generate/reverse.h"
#include "experiments/data/generate/sequences.h"
#include "experiments/data/generate/sort.h"
#include "experiments/spec/generators.h"
#include "support/error.h"

namespace attnlab::data {
namespace {

constexpr int64_t kTrainPairs = 20'000, kHeldOutPairs = 500;
/// Draws in a row that may bring nothing new.
constexpr int kPatience = 10'000;

/// Sentences that were given out already, of both languages.
class Seen {
 public:
  /// False if either side was there before.
  bool add(const Sentence& sentence) {
    if (sources_.contains(sentence.source) || targets_.contains(sentence.target)) return false;
    sources_.insert(sentence.source);
    targets_.insert(sentence.target);
    return true;
  }

 private:
  std::unordered_set<std::string> sources_, targets_;
};

int64_t wanted(int64_t setting, int64_t otherwise, std::string_view key) {
  if (setting < 0)
    throw Error(fmt::format("data.{}: 0 (= {}) or more was expected, {} was given", key, otherwise, setting));
  return setting == 0 ? otherwise : setting;
}

void append(Split& split, Sentence sentence) {
  split.source.push_back(std::move(sentence.source));
  split.target.push_back(std::move(sentence.target));
  split.gold.push_back(std::move(sentence.gold));
  ++split.read;
}

[[noreturn]] void refuse_too_many(const spec::DataConfig& config, int64_t count, std::string_view why) {
  throw Error(fmt::format(
      "data: {} different sentences are wanted of generator '{}', but {}; lower train_pairs, valid_pairs, test_pairs{}",
      count, config.generator, why, spec::has_symbols(config.generator) ? ", or raise symbols or max_length" : ""));
}

}  // namespace

const std::vector<Generator>& generators() {
  static const std::vector<Generator> list = {
      {"copy", draw_copy, count_sequences, none_always_tested},
      {"reverse", draw_reverse, count_sequences, none_always_tested},
      {"sort", draw_sort, count_multisets, none_always_tested},
      {"pronouns", draw_pronouns, count_pronouns, famous_pronouns},
  };
  return list;
}

const Generator& find_generator(std::string_view name) {
  const auto found =
      std::find_if(generators().begin(), generators().end(), [&](const Generator& g) { return g.name == name; });
  if (found != generators().end()) return *found;
  std::string known;
  for (const Generator& generator : generators())
    known += fmt::format("{}{}", known.empty() ? "" : ", ", generator.name);
  throw Error(fmt::format("data.generator: one of {} was expected, '{}' was given", known, name));
}

Corpus generate(const spec::DataConfig& config) {
  const Generator& generator = find_generator(config.generator);
  const int64_t train = wanted(config.train_pairs, kTrainPairs, "train_pairs");
  const int64_t valid = wanted(config.valid_pairs, kHeldOutPairs, "valid_pairs");
  const int64_t test = wanted(config.test_pairs, kHeldOutPairs, "test_pairs");
  const int64_t all = train + valid + test;
  // Half of the space, because drawing the last few of it would take for ever, and nothing would be left to generalise
  // to.
  if (const double space = generator.space(config); static_cast<double>(all) > space / 2)
    refuse_too_many(config, all, fmt::format("there are only {:.0f}, of which half can be used", space));
  Corpus corpus;
  Seen seen;
  for (Sentence& sentence : generator.always_tested()) {
    seen.add(sentence);
    if (corpus.test.read < test) append(corpus.test, std::move(sentence));
  }
  const auto fill = [&](Split& split, SplitName name, int64_t count) {
    Random random(static_cast<uint64_t>(config.seed), static_cast<uint64_t>(name));
    for (int misses = 0; split.read < count;) {
      Sentence sentence = generator.draw(config, name, random);
      if (seen.add(sentence)) {
        append(split, std::move(sentence));
        misses = 0;
      } else if (++misses == kPatience) {
        refuse_too_many(
            config, all,
            fmt::format("after {} no new one was found", corpus.train.read + corpus.valid.read + corpus.test.read));
      }
    }
  };
  // The held-out splits first: they stay the same when only train_pairs changes.
  fill(corpus.test, SplitName::test, test);
  fill(corpus.valid, SplitName::valid, valid);
  fill(corpus.train, SplitName::train, train);
  return corpus;
}

}  // namespace attnlab::data
