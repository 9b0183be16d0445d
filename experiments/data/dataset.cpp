#include "experiments/data/dataset.h"

#include <algorithm>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "experiments/data/content_hash.h"
#include "experiments/data/encoded_cache.h"
#include "experiments/data/file_lock.h"
#include "experiments/data/tokenizer_cache.h"
#include "support/error.h"
#include "support/files.h"
#include "support/sha256.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;
using tokenizer::Tokenizer;

/// Goes into the name of every file of ids: raise it when the same input gives other ids.
constexpr int kCacheVersion = 2;
constexpr size_t kThreads = 2;

std::vector<std::string_view> views(const std::vector<std::string>& lines) {
  return {lines.begin(), lines.end()};
}

struct Models {
  LoadedModel source, target;
};

Models models_for(const Split& train, const spec::TokenizerConfig& config, const fs::path& cache,
                  std::vector<std::string>& warnings) {
  if (!config.model.empty()) {
    if (!config.source_model.empty() || !config.target_model.empty())
      throw Error("tokenizer: give either model, or source_model and target_model, not all of them");
    const LoadedModel model = load_model(config.model, "tokenizer.model");
    return {model, model};
  }
  if (config.source_model.empty() != config.target_model.empty())
    throw Error("tokenizer: source_model and target_model belong together, but only one of them is given");
  if (!config.source_model.empty())
    return {load_model(config.source_model, "tokenizer.source_model"),
            load_model(config.target_model, "tokenizer.target_model")};
  std::vector<std::string_view> source = views(train.source), target = views(train.target);
  const auto train_on = [&](std::string_view side, const std::vector<std::string_view>& lines) {
    return trained_model(side, lines, config, cache, warnings);
  };
  if (!config.shared) return {train_on("source", source), train_on("target", target)};
  source.insert(source.end(), target.begin(), target.end());
  const LoadedModel model = train_on("shared", source);
  return {model, model};
}

/// Encodes lines in a few threads; line i of the result is line i of the text.
std::vector<Ids> encode_lines(const Tokenizer& tokenizer, const std::vector<std::string>& lines) {
  std::vector<Ids> result(lines.size());
  std::vector<std::exception_ptr> failures(kThreads);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      try {
        for (size_t i = t; i < lines.size(); i += kThreads) result[i] = tokenizer.encode(lines[i]);
      } catch (...) {
        failures[t] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return result;
}

std::vector<EncodedSides> encode_corpus(const Corpus& corpus, const Models& models, const fs::path& cache) {
  const std::string key = sha256_hex(
      fmt::format("{} {} {} {}", kCacheVersion, corpus.content_hash, models.source.hash, models.target.hash));
  const fs::path path = cache / ("encoded-" + key.substr(0, 32) + ".ids");
  if (auto splits = read_encoded(path, key)) return std::move(*splits);
  const FileLock lock(path.string() + ".lock");
  if (auto splits = read_encoded(path, key)) return std::move(*splits);
  std::vector<EncodedSides> splits;
  for (const Split* split : {&corpus.train, &corpus.valid, &corpus.test})
    splits.push_back(
        {encode_lines(models.source.tokenizer, split->source), encode_lines(models.target.tokenizer, split->target)});
  write_encoded(path, key, splits);
  return splits;
}

EncodedPair with_ends(Ids source, Ids target, const Models& models) {
  source.push_back(models.source.tokenizer.eos());
  target.push_back(models.target.tokenizer.eos());
  return {std::move(source), std::move(target)};
}

/// The training pairs that are short enough; the others are counted.
std::vector<EncodedPair> training_pairs(EncodedSides& sides, Split& split, const Models& models, size_t most) {
  std::vector<EncodedPair> pairs;
  pairs.reserve(sides.source.size());
  for (size_t i = 0; i < sides.source.size(); ++i)
    if (sides.source[i].size() <= most && sides.target[i].size() <= most)
      pairs.push_back(with_ends(std::move(sides.source[i]), std::move(sides.target[i]), models));
  if (const size_t dropped = sides.source.size() - pairs.size(); dropped > 0)
    split.dropped["too long"] = static_cast<int64_t>(dropped);
  return pairs;
}

/// Shortens an over-long line and says so.
void crop(Ids& ids, size_t most, std::string_view side, size_t line, SplitName split,
          std::vector<std::string>& warnings) {
  if (ids.size() <= most) return;
  warnings.push_back(fmt::format("{} {}, line {}: {} pieces, cropped to data.max_pieces = {}", name_of(split), side,
                                 line + 1, ids.size(), most));
  ids.resize(most);
}

/// All pairs of a split that is scored.
std::vector<EncodedPair> scored_pairs(EncodedSides& sides, SplitName split, const Models& models, size_t most,
                                      std::vector<std::string>& warnings) {
  std::vector<EncodedPair> pairs;
  pairs.reserve(sides.source.size());
  for (size_t i = 0; i < sides.source.size(); ++i) {
    crop(sides.source[i], most, "source", i, split, warnings);
    crop(sides.target[i], most, "target", i, split, warnings);
    pairs.push_back(with_ends(std::move(sides.source[i]), std::move(sides.target[i]), models));
  }
  return pairs;
}

}  // namespace

Dataset load_dataset(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer, const fs::path& cache) {
  if (data.max_pieces < 1)
    throw Error(fmt::format("data.max_pieces: 1 or more was expected, {} was given", data.max_pieces));
  const auto most = static_cast<size_t>(data.max_pieces);
  make_folder(cache);
  Dataset dataset;
  dataset.corpus = load_corpus(data);
  for (const Split* split : {&dataset.corpus.train, &dataset.corpus.valid, &dataset.corpus.test})
    dataset.warnings.insert(dataset.warnings.end(), split->warnings.begin(), split->warnings.end());
  const Models models = models_for(dataset.corpus.train, tokenizer, cache, dataset.warnings);
  std::vector<EncodedSides> sides = encode_corpus(dataset.corpus, models, cache);
  dataset.source_tokenizer = models.source.tokenizer;
  dataset.target_tokenizer = models.target.tokenizer;
  dataset.tokenizer_hash = tokenizers_hash(dataset.source_tokenizer, dataset.target_tokenizer);
  dataset.train = training_pairs(sides[0], dataset.corpus.train, models, most);
  dataset.valid = scored_pairs(sides[1], SplitName::valid, models, most, dataset.warnings);
  dataset.test = scored_pairs(sides[2], SplitName::test, models, most, dataset.warnings);
  if (dataset.train.empty())
    throw Error(fmt::format("data.max_pieces: no training pair is left, all have more than {} pieces; raise it", most));
  return dataset;
}

}  // namespace attnlab::data
