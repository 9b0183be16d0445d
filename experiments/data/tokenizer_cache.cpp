#include "experiments/data/tokenizer_cache.h"

#include <optional>

#include <fmt/format.h>

#include "experiments/data/file_lock.h"
#include "support/error.h"
#include "support/files.h"
#include "support/sha256.h"
#include "tokenizer/train.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;

/// Goes into the name of every model: raise it when the same input gives another model.
constexpr int kCacheVersion = 3;

tokenizer::TrainOptions train_options(const spec::TokenizerConfig& config) {
  return {tokenizer::model_type(config.type), config.vocab_size, config.character_coverage, config.user_symbols};
}

std::string name_of_training(const TrainingText& text, const spec::TokenizerConfig& config) {
  Sha256 digest;
  digest.update(fmt::format("{} {} {} {} {}\n", kCacheVersion, config.type, config.vocab_size,
                            config.character_coverage, config.user_symbols.size()));
  for (const std::string& symbol : config.user_symbols) digest.update(symbol + "\n");
  digest.update(text.identity);
  return "tokenizer-" + digest.hex().substr(0, 32);
}

fs::path checksum_of(const fs::path& model) {
  return model.string() + ".sha256";
}

std::string checksum_line(const fs::path& model, const std::string& hash) {
  return fmt::format("{}  {}\n", hash, model.filename().string());
}

/// Where a model lies in the cache, and what may be said of it.
class Entry {
 public:
  explicit Entry(fs::path path) : path_(std::move(path)) {}

  /// The model if it is there, whole, and has a checksum: the usual case.
  std::optional<LoadedModel> checked() const {
    if (!fs::exists(path_) || !fs::exists(checksum_of(path_))) return std::nullopt;
    try {
      const std::string bytes = read_file(path_, "cached tokenizer"), hash = sha256_hex(bytes);
      if (read_file(checksum_of(path_), "its checksum") == checksum_line(path_, hash))
        return LoadedModel{tokenizer::Tokenizer::from_bytes(bytes, path_.string()), hash};
    } catch (const Error&) {
      // Trained again, as any damaged model.
    }
    return std::nullopt;
  }

  /// Puts a new model there. The checksum comes first: a model never lies there without it.
  LoadedModel replace(const std::string& bytes, std::vector<std::string>& warnings) const {
    if (fs::exists(path_))
      warnings.push_back(fmt::format("the cached tokenizer '{}' was damaged and was trained again", path_.string()));
    LoadedModel model{tokenizer::Tokenizer::from_bytes(bytes, path_.string()), sha256_hex(bytes)};
    write_file_atomically(checksum_of(path_), checksum_line(path_, model.hash));
    write_file_atomically(path_, bytes);
    return model;
  }

 private:
  fs::path path_;
};

/// Says where training did not make of the text what was asked for. For word and char vocab_size is only a limit.
void warn_of_training(const TrainingText& text, const spec::TokenizerConfig& config, const LoadedModel& model,
                      std::vector<std::string>& warnings) {
  warnings.insert(warnings.end(), text.warnings.begin(), text.warnings.end());
  const int32_t pieces = model.tokenizer.vocab_size();
  if (pieces < config.vocab_size && config.type != "word" && config.type != "char")
    warnings.push_back(fmt::format("{} tokenizer: the text gives {} pieces, tokenizer.vocab_size asks for {}",
                                   text.side, pieces, config.vocab_size));
}

LoadedModel cached_or_trained(const TrainingText& text, const spec::TokenizerConfig& config, const fs::path& cache,
                              std::vector<std::string>& warnings) {
  const fs::path path = cache / (name_of_training(text, config) + ".model");
  const Entry entry(path);
  if (auto model = entry.checked()) return *model;
  const FileLock lock(path.string() + ".lock");
  if (auto model = entry.checked()) return *model;
  const std::vector<std::string> lines = text.lines();
  return entry.replace(tokenizer::train({lines.begin(), lines.end()}, train_options(config)), warnings);
}

}  // namespace

LoadedModel load_model(const std::string& path, std::string_view key) {
  const std::string bytes = read_file(path, key);
  return {tokenizer::Tokenizer::from_bytes(bytes, path), sha256_hex(bytes)};
}

LoadedModel trained_model(const TrainingText& text, const spec::TokenizerConfig& config, const fs::path& cache,
                          std::vector<std::string>& warnings) {
  LoadedModel model = cached_or_trained(text, config, cache, warnings);
  warn_of_training(text, config, model, warnings);
  return model;
}

}  // namespace attnlab::data
