#include "experiments/data/corpus_reader.h"

#include "experiments/data/content_hash.h"
#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;
using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;
using Lines = std::vector<std::string>;

struct Files {
  TemporaryFolder folder, cache;
  spec::DataConfig config;

  Files() {
    for (const char* stem : {"train", "val", "test"})
      for (const char* language : {"en", "de"}) folder.write(std::string(stem) + "." + language, "one\ntwo\nthree\n");
    folder.write("train.en", "1\n\n3\r\n4\n5");
    folder.write("train.de", "eins\nzwei\n \t\nvier\nfünf\n");
    config.dir = folder.path().string();
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(cache.path())) files.push_back(entry.path());
    return files;
  }
};

Lines targets_of(const CorpusReader& reader) {
  Lines lines;
  reader.each_training_pair([&](std::string&, std::string& target) { lines.push_back(std::move(target)); });
  return lines;
}

}  // namespace

TEST_CASE("A reader gives the corpus that is loaded whole, first and from what was kept") {
  const Files files;
  const Corpus whole = load_corpus(files.config);
  for (int round = 0; round < 2; ++round) {
    const CorpusReader reader(files.config, files.cache.path());
    CHECK(files.kept().size() == 1);
    CHECK(reader.corpus().content_hash == whole.content_hash);
    CHECK(reader.corpus().train.read == 5);
    CHECK(reader.corpus().train.dropped == whole.train.dropped);
    CHECK(reader.corpus().train.source.empty());
    CHECK(reader.facts().train_pairs == 3);
    CHECK(targets_of(reader) == whole.train.target);
    CHECK(targets_of(reader) == whole.train.target);
    CHECK(reader.corpus().test.target == whole.test.target);
    reader.require_unchanged();
  }
}

// sha256sum of "3 lines\n1\n4\n5\n3 lines\neins\nvier\nfünf\n" and that with "3 lines\none\ntwo\nthree\n" four times.
TEST_CASE("The hashes are those of the text") {
  const Files files;
  const CorpusReader reader(files.config, files.cache.path());
  CHECK(reader.facts().train_hash == "3aec471430f2441338347947b05ab2f614c5540e3c5b45c8349b325ff40b75e0");
  CHECK(reader.corpus().content_hash == "781da4391fc90d46310a65c7c361c05890c05e6c2c1a3c302788c205d5c0b3d8");
}

TEST_CASE("Notes on the training text are kept, and name the file where it is now") {
  const Files files;
  files.folder.write("train.de", "eins\nzwei\n \t\nvier \u2585\n" + std::string(9000, 'x') + "\n");
  for (int round = 0; round < 2; ++round) {
    const CorpusReader reader(files.config, files.cache.path());
    REQUIRE(reader.corpus().train.warnings.size() == 1);
    CHECK(mentions(reader.corpus().train.warnings[0], files.folder.path().string() + "/train.de", "U+2585", "line 4"));
    CHECK(reader.warnings_of_long_lines(true, false).empty());
    const auto long_lines = reader.warnings_of_long_lines(true, true);
    REQUIRE(long_lines.size() == 1);
    CHECK(mentions(long_lines[0], files.folder.path().string() + "/train.de: 1 line", "8192 bytes",
                   "line 5 is the first"));
  }
}

TEST_CASE("A change that leaves size and date alone is noticed") {
  const Files files;
  const fs::path train = files.folder.path() / "train.de";
  const auto date = fs::last_write_time(train);
  const CorpusReader before(files.config, files.cache.path());
  files.folder.write("train.de", "eins\nzwei\n \t\nvier\nfünk\n");
  fs::last_write_time(train, date);
  CHECK(mentions(error_message([&] { before.require_unchanged(); }), files.config.dir, "changed"));
  const CorpusReader after(files.config, files.cache.path());
  CHECK(after.corpus().content_hash != before.corpus().content_hash);
  CHECK(after.facts().train_hash != before.facts().train_hash);
  CHECK(targets_of(after).back() == "fünk");
}

TEST_CASE("What is scored is read without the training text") {
  const Files files;
  const Corpus whole = load_corpus(files.config);
  fs::remove(files.folder.path() / "train.de");
  const Corpus scored = load_scored_splits(files.config);
  CHECK(scored.train.source.empty());
  CHECK(scored.valid.source == whole.valid.source);
  CHECK(scored.test.target == whole.test.target);
  spec::DataConfig generated;
  generated.generator = "copy";
  generated.train_pairs = generated.valid_pairs = generated.test_pairs = 5;
  CHECK(load_scored_splits(generated).test.source == load_corpus(generated).test.source);
}

TEST_CASE("Limits and policy are part of what was read") {
  Files files;
  const CorpusReader all(files.config, files.cache.path());
  files.config.train_pairs = 1;
  const CorpusReader one(files.config, files.cache.path());
  CHECK(one.facts().train_pairs == 1);
  CHECK(one.corpus().content_hash == load_corpus(files.config).content_hash);
  files.config.train_pairs = 0;
  CHECK(CorpusReader(files.config, files.cache.path()).facts().train_pairs == 3);
}

TEST_CASE("Kept facts that are damaged are learnt again") {
  const Files files;
  const std::string right = CorpusReader(files.config, files.cache.path()).corpus().content_hash;
  const fs::path kept = files.kept().at(0);
  const std::string good = read_file(kept, "facts");
  std::string flipped = good;
  flipped[good.size() - 30] = static_cast<char>(flipped[good.size() - 30] ^ 1);
  for (const std::string& bad : {flipped, good.substr(0, 40), good.substr(0, good.size() - 1), std::string("x")}) {
    files.cache.write(kept.filename().string(), bad);
    CHECK(content_hash(files.config, {}, files.cache.path()) == content_hash(files.config, {}));
    CHECK(CorpusReader(files.config, files.cache.path()).corpus().content_hash == right);
    CHECK(read_file(kept, "facts") == good);
  }
}

TEST_CASE("A hash takes what was kept and keeps nothing itself") {
  const Files files;
  const std::string hash = content_hash(files.config, {}, files.cache.path());
  CHECK(files.kept().empty());
  CorpusReader(files.config, files.cache.path());
  CHECK(content_hash(files.config, {}, files.cache.path()) == hash);
  CHECK(content_hash(files.config, {}, files.cache.path() / "none") == hash);
}

TEST_CASE("Errors of the text are those of loading it") {
  const Files files;
  files.folder.write("train.de", "eins\n");
  CHECK(error_message([&] { CorpusReader(files.config, files.cache.path()); }) ==
        error_message([&] { load_corpus(files.config); }));
  files.folder.write("train.de", "\n\n\n\n\n");
  CHECK(mentions(error_message([&] { CorpusReader(files.config, files.cache.path()); }), "data.train", "5 pairs"));
  CHECK(files.kept().empty());
}

}  // namespace attnlab::data
