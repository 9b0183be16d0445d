#include "experiments/data/dataset.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "experiments/data/content_hash.h"
#include "experiments/data/corpus_encoder.h"
#include "experiments/data/corpus_reader.h"
#include "experiments/data/file_lock.h"
#include "experiments/data/line_sample.h"
#include "experiments/data/tokenizer_cache.h"
#include "support/error.h"
#include "support/files.h"
#include "support/sha256.h"
#include "tokenizer/line_encoder.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;
using Warnings = std::vector<std::string>;

/// Goes into the name of every file of ids: raise it when the same input gives other ids.
constexpr int kCacheVersion = 3;
/// More lines make a tokenizer hardly better, and take time and memory.
constexpr size_t kMostTrainingLines = 1'000'000;

/// Which lines of the training pairs a tokenizer is trained on.
enum class Side { source, target, both };

std::string_view name_of(Side side) {
  return side == Side::both ? "shared" : side == Side::source ? "source" : "target";
}

int64_t line_count(const CorpusReader& reader, Side side) {
  return side == Side::both ? 2 * reader.facts().train_pairs : reader.facts().train_pairs;
}

/// All of them or a sample, the sources first.
std::vector<std::string> training_lines(const CorpusReader& reader, Side side) {
  LineSample sample(static_cast<size_t>(line_count(reader, side)), kMostTrainingLines);
  std::vector<std::string> sources, targets;
  reader.each_training_pair([&](std::string& source, std::string& target) {
    if (side != Side::target && sample.draws()) sources.push_back(std::move(source));
    if (side != Side::source && sample.draws()) targets.push_back(std::move(target));
  });
  std::move(targets.begin(), targets.end(), std::back_inserter(sources));
  return sources;
}

/// The model of these lines, which are read only if it is not in the cache.
LoadedModel model_of(const CorpusReader& reader, Side side, const spec::TokenizerConfig& config, const fs::path& cache,
                     Warnings& warnings) {
  TrainingText text;
  text.side = name_of(side);
  text.identity = fmt::format("{} of {}, {} at most", text.side, reader.facts().train_hash, kMostTrainingLines);
  text.warnings = reader.warnings_of_long_lines(side != Side::target, side != Side::source);
  text.lines = [&] {
    std::vector<std::string> lines = training_lines(reader, side);
    reader.require_unchanged();
    return lines;
  };
  return trained_model(text, config, cache, warnings);
}

struct Models {
  LoadedModel source, target;
  std::string sample;  // as in Dataset
};

std::string sample_of(const CorpusReader& reader, Side side) {
  const int64_t lines = line_count(reader, side);
  if (lines <= static_cast<int64_t>(kMostTrainingLines)) return "";
  return fmt::format("{} of {} lines, drawn", kMostTrainingLines, lines);
}

Models models_for(const CorpusReader& reader, const spec::TokenizerConfig& config, const fs::path& cache,
                  Warnings& warnings) {
  if (!config.model.empty()) {
    const LoadedModel model = load_model(config.model, "tokenizer.model");
    return {model, model, ""};
  }
  if (!config.source_model.empty())
    return {load_model(config.source_model, "tokenizer.source_model"),
            load_model(config.target_model, "tokenizer.target_model"), ""};
  if (!config.shared)
    return {model_of(reader, Side::source, config, cache, warnings),
            model_of(reader, Side::target, config, cache, warnings), sample_of(reader, Side::source)};
  const LoadedModel model = model_of(reader, Side::both, config, cache, warnings);
  return {model, model, sample_of(reader, Side::both)};
}

/// The file, or nothing where it has to be made; with a warning if there is one that cannot be used.
std::shared_ptr<const EncodedFile> open_encoded(const fs::path& path, const std::string& key, Warnings& warnings) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return nullptr;
  try {
    return std::make_shared<const EncodedFile>(path, key);
  } catch (const Error& error) {
    warnings.push_back(fmt::format("{}; it is made anew", error.what()));
    return nullptr;
  }
}

std::shared_ptr<const EncodedFile> encoded_corpus(const CorpusReader& reader, const Models& models,
                                                  tokenizer::Words words, size_t most, const fs::path& cache,
                                                  Warnings& warnings) {
  const std::string key = sha256_hex(fmt::format("{} {} {} {} {}", kCacheVersion, reader.corpus().content_hash,
                                                 models.source.hash, models.target.hash, most));
  const fs::path path = cache / ("encoded-" + key.substr(0, 32) + ".ids");
  Warnings before_lock;
  if (auto file = open_encoded(path, key, before_lock)) return file;
  const FileLock lock(path.string() + ".lock");
  if (auto file = open_encoded(path, key, warnings)) return file;
  EncodedWriter writer(path, key);
  CorpusEncoder encoder(reader, models.source.tokenizer, models.target.tokenizer, words, most, writer);
  encoder.encode_training();
  encoder.encode_scored(reader.corpus().valid, SplitName::valid);
  encoder.encode_scored(reader.corpus().test, SplitName::test);
  reader.require_unchanged();
  writer.finish(encoder.notes());
  return std::make_shared<const EncodedFile>(path, key);
}

/// Words of a model that was trained here for one of these settings.
tokenizer::Words words_of(const spec::TokenizerConfig& config) {
  const bool given = !config.model.empty() || !config.source_model.empty();
  const bool separate = !given && config.type == "bpe" && config.user_symbols.empty();
  return separate ? tokenizer::Words::separate : tokenizer::Words::joint;
}

}  // namespace

void prepare_tokenizers(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer, const fs::path& cache) {
  make_folder(cache);
  Warnings ignored;  // the run says them
  models_for(CorpusReader(data, cache), tokenizer, cache, ignored);
}

Dataset load_dataset(const spec::DataConfig& data, const spec::TokenizerConfig& tokenizer, const fs::path& cache) {
  const auto most = static_cast<size_t>(data.max_pieces);
  make_folder(cache);
  const CorpusReader reader(data, cache);
  Dataset dataset;
  for (const Split* split : {&reader.corpus().train, &reader.corpus().valid, &reader.corpus().test})
    dataset.warnings.insert(dataset.warnings.end(), split->warnings.begin(), split->warnings.end());
  const Models models = models_for(reader, tokenizer, cache, dataset.warnings);
  dataset.encoded = encoded_corpus(reader, models, words_of(tokenizer), most, cache, dataset.warnings);
  dataset.corpus = reader.corpus();
  dataset.source_tokenizer = models.source.tokenizer;
  dataset.target_tokenizer = models.target.tokenizer;
  dataset.tokenizer_hash = tokenizers_hash(dataset.source_tokenizer, dataset.target_tokenizer);
  dataset.tokenizer_sample = models.sample;
  dataset.train = dataset.encoded->split(0);
  dataset.valid = dataset.encoded->split(1);
  dataset.test = dataset.encoded->split(2);
  const Json& notes = dataset.encoded->notes();
  if (const int64_t too_long = notes.at("too_long"); too_long > 0) dataset.corpus.train.dropped["too long"] = too_long;
  for (const Json& cropped : notes.at("cropped")) dataset.warnings.push_back(cropped);
  return dataset;
}

}  // namespace attnlab::data
