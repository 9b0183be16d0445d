#include "experiments/data/tokenizer_cache.h"

#include <filesystem>

#include "experiments/data/content_hash.h"
#include "support/files.h"
#include "support/sha256.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;
using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

TrainingText two_lines() {
  return {"shared", "cat and dog", {}, [] { return std::vector<std::string>{"a cat", "a dog"}; }};
}

/// A cache in which one word model is kept.
struct Cache {
  TemporaryFolder folder;
  std::vector<std::string> warnings;

  LoadedModel load() {
    spec::TokenizerConfig config;
    config.type = "word";
    return trained_model(two_lines(), config, folder.path(), warnings);
  }

  fs::path file(const std::string& ending) const {
    for (const auto& entry : fs::directory_iterator(folder.path()))
      if (entry.path().string().ends_with(ending)) return entry.path();
    return {};
  }
};

}  // namespace

TEST_CASE("A trained tokenizer is kept with a checksum of its bytes") {
  Cache cache;
  const LoadedModel model = cache.load();
  const std::string bytes = read_file(cache.file(".model"), "model");
  CHECK(bytes == model.tokenizer.bytes());
  CHECK(read_file(cache.file(".model.sha256"), "checksum") ==
        sha256_hex(bytes) + "  " + cache.file(".model").filename().string() + "\n");
  CHECK(cache.load().hash == model.hash);
  CHECK(cache.warnings.empty());
}

TEST_CASE("A cached tokenizer with any bit flipped, or another checksum, is trained again and it is said once") {
  Cache cache;
  const LoadedModel model = cache.load();
  const fs::path path = cache.file(".model"), checksum = cache.file(".model.sha256");
  const std::string bytes = read_file(path, "model"), line = read_file(checksum, "checksum");
  for (size_t bit = 0; bit < 8 * bytes.size(); bit += 37) {
    INFO("bit " << bit);
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    cache.folder.write(path.filename().string(), flipped);
    cache.warnings.clear();
    CHECK(cache.load().hash == model.hash);
    REQUIRE(cache.warnings.size() == 1);
    CHECK(mentions(cache.warnings[0], path.string(), "damaged", "trained again"));
    CHECK(read_file(path, "model") == bytes);
  }
  cache.folder.write(checksum.filename().string(), "x" + line.substr(1));
  cache.warnings.clear();
  CHECK(cache.load().hash == model.hash);
  CHECK(cache.warnings.size() == 1);
  CHECK(read_file(checksum, "checksum") == line);
}

TEST_CASE("A cached tokenizer without its checksum is trained again") {
  Cache cache;
  const LoadedModel model = cache.load();
  fs::remove(cache.file(".model.sha256"));
  CHECK(cache.load().hash == model.hash);
  REQUIRE(cache.warnings.size() == 1);
  CHECK(mentions(cache.warnings[0], "trained again"));
}

TEST_CASE("The text is read only for what is not in the cache") {
  Cache cache;
  const LoadedModel model = cache.load();
  spec::TokenizerConfig config;
  config.type = "word";
  TrainingText unread = two_lines();
  unread.lines = []() -> std::vector<std::string> { throw Error("read"); };
  CHECK(trained_model(unread, config, cache.folder.path(), cache.warnings).hash == model.hash);
  unread.identity = "other animals";
  CHECK(error_message([&] { trained_model(unread, config, cache.folder.path(), cache.warnings); }) == "read");
}

TEST_CASE("The hash of two tokenizers tells them and their sides apart") {
  Cache cache;
  const tokenizer::Tokenizer words = cache.load().tokenizer;
  spec::TokenizerConfig config;
  config.type = "char";
  config.vocab_size = 20;
  const auto letters = trained_model(two_lines(), config, cache.folder.path(), cache.warnings).tokenizer;
  CHECK(tokenizers_hash(words, words) == sha256_hex(sha256_hex(words.bytes()) + sha256_hex(words.bytes())));
  CHECK(tokenizers_hash(words, letters) == sha256_hex(sha256_hex(words.bytes()) + sha256_hex(letters.bytes())));
  CHECK(tokenizers_hash(words, letters) != tokenizers_hash(letters, words));
}

}  // namespace attnlab::data
