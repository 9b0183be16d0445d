#include "experiments/data/dataset.h"

#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

#include "experiments/data/batches.h"
#include "experiments/data/content_hash.h"
#include "experiments/data/text_files.h"
#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tokenizer/train.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;
using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

spec::DataConfig reverse_config() {
  spec::DataConfig config;
  config.generator = "reverse";
  config.train_pairs = 300;
  config.valid_pairs = config.test_pairs = 20;
  return config;
}

spec::TokenizerConfig word_model() {
  spec::TokenizerConfig config;
  config.type = "word";
  return config;
}

/// Text files of a few pairs, the middle one of test and train over-long in words.
struct Files {
  TemporaryFolder folder;
  spec::DataConfig config;

  Files() {
    std::string long_line = "a";
    for (int i = 0; i < 4999; ++i) long_line += " a";
    for (const char* stem : {"train", "val", "test"})
      for (const char* language : {"en", "de"}) {
        const bool is_long = std::string(stem) != "val" && std::string(language) == "en";
        folder.write(std::string(stem) + "." + language,
                     "a cat\n" + (is_long ? long_line : "a long one") + "\na dog\n");
      }
    config.dir = folder.path().string();
    config.max_pieces = 100;
  }
};

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  return files;
}

Ids ids_of(std::span<const int32_t> ids) {
  return {ids.begin(), ids.end()};
}

bool same(const Pairs& a, const Pairs& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (ids_of(a[i].source) != ids_of(b[i].source) || ids_of(a[i].target) != ids_of(b[i].target)) return false;
  return true;
}

}  // namespace

TEST_CASE("A generated data set is encoded with eos and decodes back") {
  const TemporaryFolder cache;
  const Dataset data = load_dataset(reverse_config(), word_model(), cache.path());
  REQUIRE(data.train.size() == 300);
  REQUIRE(data.test.size() == 20);
  CHECK(data.source_tokenizer.vocab_size() == 24);  // 20 numbers and 4 special symbols
  const Corpus corpus = load_corpus(reverse_config());
  for (size_t i = 0; i < data.train.size(); ++i) {
    CHECK(data.train[i].source.back() == data.source_tokenizer.eos());
    CHECK(data.train[i].target.back() == data.target_tokenizer.eos());
    CHECK(data.source_tokenizer.decode(ids_of(data.train[i].source)) == corpus.train.source[i]);
    CHECK(data.target_tokenizer.decode(ids_of(data.train[i].target)) == corpus.train.target[i]);
  }
  CHECK(data.corpus.train.read == 300);
  CHECK(data.corpus.train.source.empty());
  CHECK(data.corpus.content_hash == corpus.content_hash);
  CHECK(data.warnings.empty());
}

TEST_CASE("The ids are those of the tokenizer, line by line, and the batches those of such pairs in memory") {
  const Files files;
  std::string source, target;
  for (int i = 0; i < 700; ++i) {
    const std::string number = std::to_string(i * i % 997);
    source += "the  " + number + " cats of number " + number + (i % 5 == 0 ? " \n" : "\n");
    target += (i % 7 == 0 ? " " : "") + number + " Katzen\tmit der Nummer " + number + "\n";
  }
  files.folder.write("train.en", source);
  files.folder.write("train.de", target);
  for (const char* type : {"bpe", "unigram", "word", "char"}) {
    const TemporaryFolder cache;
    spec::TokenizerConfig config;
    config.type = type;
    config.vocab_size = 60;
    const Dataset data = load_dataset(files.config, config, cache.path());
    const Corpus corpus = load_corpus(files.config);
    std::vector<EncodedPair> pairs;
    for (size_t i = 0; i < corpus.train.source.size(); ++i) {
      pairs.push_back(
          {data.source_tokenizer.encode(corpus.train.source[i]), data.target_tokenizer.encode(corpus.train.target[i])});
      pairs.back().source.push_back(data.source_tokenizer.eos());
      pairs.back().target.push_back(data.target_tokenizer.eos());
    }
    CHECK(data.tokenizer_sample.empty());
    CHECK(same(data.train, pairs));
    CHECK(epoch_batches(data.train, 200, 3, 1) == epoch_batches(pairs, 200, 3, 1));
  }
}

TEST_CASE("A file of an earlier version in the cache is passed over") {
  const TemporaryFolder cache;
  cache.write("encoded-0.ids", "attnlab encoded lines, version 1\n");
  const Dataset data = load_dataset(reverse_config(), word_model(), cache.path());
  CHECK(data.train.size() == 300);
  CHECK(data.warnings.empty());
}

TEST_CASE("The second load takes everything from the cache and gives the same") {
  const TemporaryFolder cache;
  const Dataset first = load_dataset(reverse_config(), word_model(), cache.path());
  const auto model = files_in(cache.path(), ".model"), ids = files_in(cache.path(), ".ids");
  REQUIRE(model.size() == 1);
  REQUIRE(ids.size() == 1);
  const auto written = fs::last_write_time(ids[0]);
  const Dataset second = load_dataset(reverse_config(), word_model(), cache.path());
  CHECK(fs::last_write_time(ids[0]) == written);
  CHECK(same(first.train, second.train));
  CHECK(same(first.test, second.test));
  CHECK(first.tokenizer_hash == second.tokenizer_hash);
  CHECK(first.corpus.content_hash == second.corpus.content_hash);
}

TEST_CASE("Other settings and other text make other files and other identities") {
  const TemporaryFolder cache;
  const Dataset first = load_dataset(reverse_config(), word_model(), cache.path());
  spec::DataConfig data = reverse_config();
  data.seed = 2;
  const Dataset other_text = load_dataset(data, word_model(), cache.path());
  CHECK(other_text.corpus.content_hash != first.corpus.content_hash);
  spec::TokenizerConfig tokenizer = word_model();
  tokenizer.shared = false;
  const Dataset separate = load_dataset(reverse_config(), tokenizer, cache.path());
  CHECK(separate.tokenizer_hash != first.tokenizer_hash);
  CHECK(separate.corpus.content_hash == first.corpus.content_hash);
  tokenizer = word_model();
  tokenizer.type = "char";
  CHECK(load_dataset(reverse_config(), tokenizer, cache.path()).tokenizer_hash != first.tokenizer_hash);
  CHECK(files_in(cache.path(), ".ids").size() == 4);
}

TEST_CASE("A damaged cache is built again") {
  const TemporaryFolder cache;
  const Dataset first = load_dataset(reverse_config(), word_model(), cache.path());
  const fs::path ids = files_in(cache.path(), ".ids").at(0), model = files_in(cache.path(), ".model").at(0);
  const std::string good_ids = read_file(ids, "ids"), good_model = read_file(model, "model");
  std::string other_version = good_ids;
  other_version.replace(other_version.find("version 2"), 9, "version 9");
  for (const std::string& bad : {good_ids.substr(0, good_ids.size() / 2), good_ids.substr(0, good_ids.size() - 1),
                                 std::string("x"), good_ids + "x", other_version}) {
    fs::remove(ids);  // `first` still looks at the old one
    cache.write(ids.filename().string(), bad);
    const Dataset again = load_dataset(reverse_config(), word_model(), cache.path());
    CHECK(same(again.train, first.train));
    REQUIRE(again.warnings.size() == 1);
    CHECK(mentions(again.warnings[0], ids.string(), "made anew"));
    CHECK(read_file(ids, "ids") == good_ids);
    CHECK(load_dataset(reverse_config(), word_model(), cache.path()).warnings.empty());
  }
  cache.write(model.filename().string(), good_model.substr(0, good_model.size() / 2));
  CHECK(load_dataset(reverse_config(), word_model(), cache.path()).tokenizer_hash == first.tokenizer_hash);
  CHECK(read_file(model, "model") == good_model);
}

TEST_CASE("Several processes share one cache") {
  const TemporaryFolder cache;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool right = false;
      try {
        right = load_dataset(reverse_config(), word_model(), cache.path()).train.size() == 300;
      } catch (...) {
      }
      ::_exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  CHECK(files_in(cache.path(), ".model").size() == 1);
  CHECK(files_in(cache.path(), ".tmp").empty());
}

TEST_CASE("Over-long training pairs are dropped and counted, over-long test lines cropped with a warning") {
  const Files files;
  const TemporaryFolder cache;
  const Dataset data = load_dataset(files.config, word_model(), cache.path());
  CHECK(data.train.size() == 2);
  CHECK(data.corpus.train.dropped.at("too long") == 1);
  CHECK(data.corpus.train.read == 3);
  REQUIRE(data.test.size() == 3);
  CHECK(data.test[1].source.size() == 101);  // 100 pieces and eos
  REQUIRE(data.warnings.size() == 2);
  CHECK(mentions(data.warnings[0], "/train.en: 1 line of more than 8192 bytes, line "));
  CHECK(mentions(data.warnings[1], "test source", "line 2", "5000", "100"));
}

TEST_CASE("A line of a megabyte without blanks, and one of unknown characters only, keep their places") {
  Files files;
  files.folder.write("test.en", "a cat\n" + std::string(1'000'000, 'q') + "\n\u2028漢字\n");
  const TemporaryFolder cache;
  spec::TokenizerConfig tokenizer;
  tokenizer.type = "char";
  const Dataset data = load_dataset(files.config, tokenizer, cache.path());
  REQUIRE(data.test.size() == 3);
  CHECK(data.test[1].source.size() <= 101);
  CHECK(data.test[2].source.size() >= 2);
}

TEST_CASE("max_pieces that leaves no training pair is refused") {
  Files files;
  files.config.max_pieces = 1;
  const TemporaryFolder cache;
  CHECK(
      mentions(error_message([&] { load_dataset(files.config, word_model(), cache.path()); }), "data.max_pieces", "1"));
}

TEST_CASE("An existing model is used as it is") {
  const Files files;
  const TemporaryFolder cache;
  const std::string model = (cache.path() / "given.model").string();
  tokenizer::train_to_file({"a cat", "a dog"}, {tokenizer::ModelType::word, 100, 1.0, {}}, model);
  spec::TokenizerConfig config;
  config.model = model;
  CHECK(load_dataset(files.config, config, cache.path()).source_tokenizer.vocab_size() == 7);
  config.model = "";
  config.source_model = model;
  config.target_model = (cache.path() / "none.model").string();
  CHECK(mentions(error_message([&] { load_dataset(files.config, config, cache.path()); }), "tokenizer.target_model",
                 "none.model"));
  config.target_model = model;
  CHECK(load_dataset(files.config, config, cache.path()).target_tokenizer.vocab_size() == 7);
}

TEST_CASE("A vocabulary that the text cannot fill becomes smaller, with a warning") {
  const Files files;
  const TemporaryFolder cache;
  for (int i = 0; i < 2; ++i) {  // trained, and from the cache
    const Dataset data = load_dataset(files.config, {}, cache.path());
    CHECK(data.source_tokenizer.vocab_size() < 40);
    REQUIRE(data.warnings.size() >= 2);
    CHECK(mentions(data.warnings[1], "shared tokenizer", std::to_string(data.source_tokenizer.vocab_size()) + " pieces",
                   "vocab_size asks for 8000"));
  }
}

TEST_CASE("Lines that are too long to train a tokenizer on are counted in a warning of each file") {
  Files files;
  files.folder.write("train.de", "a cat\n" + std::string(10'000, 'a') + "\na dog\n");
  const TemporaryFolder cache;
  spec::TokenizerConfig tokenizer = word_model();
  tokenizer.shared = false;
  const Dataset data = load_dataset(files.config, tokenizer, cache.path());
  CHECK(mentions(data.warnings.at(0), "/train.en: 1 line of more than 8192 bytes, line "));
  CHECK(mentions(data.warnings.at(1), "/train.de: 1 line of more than 8192 bytes, line 2 is the first"));
}

TEST_CASE("A vocabulary that cannot hold the characters leaves nothing in the cache") {
  const Files files;
  const TemporaryFolder cache;
  spec::TokenizerConfig tokenizer;
  tokenizer.vocab_size = 5;
  CHECK(mentions(error_message([&] { load_dataset(files.config, tokenizer, cache.path()); }), "tokenizer.vocab_size: 5",
                 "smallest"));
  CHECK(files_in(cache.path(), ".model").empty());
  CHECK(files_in(cache.path(), ".tmp").empty());
}

TEST_CASE("A corpus written as text reads back the same, with its gold files") {
  const TemporaryFolder folder;
  spec::DataConfig config;
  config.generator = "pronouns";
  config.train_pairs = 50;
  config.valid_pairs = config.test_pairs = 10;
  const Corpus corpus = load_corpus(config);
  write_as_text(corpus, config, folder.path() / "new", Replace::no);
  spec::DataConfig files;
  files.dir = (folder.path() / "new").string();
  const Corpus read = load_corpus(files);
  CHECK(read.train.source == corpus.train.source);
  CHECK(read.test.target == corpus.test.target);
  CHECK(read.content_hash == corpus.content_hash);
  std::ifstream alignments(folder.path() / "new" / "test.align"),
      antecedents(folder.path() / "new" / "test.antecedent");
  std::string line;
  std::getline(alignments, line);
  CHECK(line == "0-0 1-1 2-5 3-2 4-3 5-4 6-6 7-7 8-10 9-8 10-9");
  std::getline(antecedents, line);
  CHECK(line == "7 1");
  std::getline(antecedents, line);
  CHECK(line == "7 5");
}

TEST_CASE("A corpus is written over files only on demand, and never halfway") {
  const TemporaryFolder folder;
  spec::DataConfig config;
  config.generator = "copy";
  config.train_pairs = config.valid_pairs = config.test_pairs = 3;
  const Corpus corpus = load_corpus(config);
  const auto write = [&](Replace replace) {
    return error_message([&] { write_as_text(corpus, config, folder.path(), replace); });
  };
  folder.write("val.de", "mine\n");
  CHECK(mentions(write(Replace::no), "val.de'", "it is there already", "--replace"));
  CHECK(read_file(folder.path() / "val.de", "it") == "mine\n");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "train.en"));
  CHECK(write(Replace::yes) == "(no error)");
  CHECK(std::filesystem::exists(folder.path() / "train.en"));
  CHECK(read_file(folder.path() / "val.de", "it") != "mine\n");
}

TEST_CASE("Two files of a corpus never have one name") {
  const TemporaryFolder folder;
  spec::DataConfig config;
  config.generator = "copy";
  config.train_pairs = config.valid_pairs = config.test_pairs = 3;
  const Corpus corpus = load_corpus(config);
  const auto refusal = [&] {
    return error_message([&] { write_as_text(corpus, config, folder.path(), Replace::yes); });
  };
  config.target = config.source;
  CHECK(mentions(refusal(), "two files would be called", "data.source", "data.target"));
  config.target = "de";
  config.valid = config.train;
  CHECK(mentions(refusal(), "two files would be called 'train.", "data.train", "data.valid"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("The content hash tells other text and other models, not other paths") {
  const Files here, there;
  CHECK(content_hash(here.config, {}) == content_hash(there.config, {}));
  there.folder.write("test.de", "1\n2\n4\n");
  CHECK(content_hash(here.config, {}) != content_hash(there.config, {}));
  spec::TokenizerConfig one, same_elsewhere, other;
  one.model = here.folder.write("one.model", "x");
  same_elsewhere.model = there.folder.write("two.model", "x");
  other.model = there.folder.write("three.model", "y");
  CHECK(content_hash(here.config, one) == content_hash(here.config, same_elsewhere));
  CHECK(content_hash(here.config, one) != content_hash(here.config, other));
  CHECK(content_hash(here.config, one) != content_hash(here.config, {}));
  other.model = (here.folder.path() / "none.model").string();
  CHECK(mentions(error_message([&] { content_hash(here.config, other); }), "tokenizer.model", "none.model"));
}

TEST_CASE("Neither a generator nor a folder is refused") {
  CHECK(mentions(error_message([] { load_corpus({}); }), "generator", "dir"));
}

TEST_CASE("Multi30k comes back from the cache as it was encoded", "[slow]") {
  const char* const folder = std::getenv("ATTNLAB_SHARED");
  if (folder == nullptr || !std::filesystem::exists(std::string(folder) + "/data/multi30k/train.en.gz")) {
    WARN("skipped: ATTNLAB_SHARED names no folder with data/multi30k/train.en.gz and the others");
    return;
  }
  const TemporaryFolder cache;
  spec::DataConfig config;
  config.dir = std::string(folder) + "/data/multi30k";
  config.test = "test_2016_flickr";
  const Dataset first = load_dataset(config, {}, cache.path());
  CHECK(first.train.size() == 29'000);
  CHECK(first.valid.size() == 1'014);
  CHECK(first.test.size() == 1'000);
  CHECK(first.source_tokenizer.vocab_size() == 8'000);
  CHECK(same(load_dataset(config, {}, cache.path()).train, first.train));
}

}  // namespace attnlab::data
