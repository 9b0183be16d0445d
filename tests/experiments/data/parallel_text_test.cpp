#include "experiments/data/parallel_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/experiments/data/gzip.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::data {
namespace {

using test::gzip;
using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;
using Lines = std::vector<std::string>;

Lines split(std::string_view text, BadUtf8 policy = BadUtf8::refuse) {
  return split_lines(text, policy, "file");
}

/// A folder with the same small text in all three splits, of which a test changes what it needs.
struct Fixture {
  TemporaryFolder folder;
  spec::DataConfig config;

  Fixture() {
    config.dir = folder.path().string();
    for (const char* stem : {"train", "val", "test"})
      for (const char* language : {"en", "de"}) folder.write(std::string(stem) + "." + language, "one\ntwo\nthree\n");
  }
  Split train() const { return load_parallel_text(config, SplitName::train); }
  std::string refusal() const {
    return error_message([&] { train(); });
  }
};

}  // namespace

TEST_CASE("Only LF and CRLF end a line") {
  CHECK(split("a\nb\n") == Lines{"a", "b"});
  CHECK(split("a\nb") == Lines{"a", "b"});
  CHECK(split("a\r\nb\r\n") == Lines{"a", "b"});
  CHECK(split("a\rb\n") == Lines{"a\rb"});
  CHECK(split("\n\n") == Lines{"", ""});
  CHECK(split("").empty());
  CHECK(split("a\u2028b\nc\u0085d\ne\u2029f\ng\vh\fi\n") == Lines{"a\u2028b", "c\u0085d", "e\u2029f", "g\vh\fi"});
}

TEST_CASE("A byte order mark is dropped at the start only") {
  CHECK(split("\uFEFFa\n\uFEFFb\n") == Lines{"a", "\uFEFFb"});
}

TEST_CASE("A NUL is refused with its line, or replaced, and nothing after it is lost") {
  const std::string text("a\nb\0bc\n\0\nd\n", 11);
  CHECK(mentions(error_message([&] { split(text); }), "file:2:", "a NUL", "byte 2", "data.bad_utf8"));
  CHECK(split(text, BadUtf8::replace) == Lines{"a", "b\uFFFDbc", "\uFFFD", "d"});
}

TEST_CASE("UTF-16 without a byte order mark is refused by its name, whatever the policy") {
  const std::string text("d\0o\0g\0\n\0c\0a\0t\0\n\0", 16);
  for (const BadUtf8 policy : {BadUtf8::refuse, BadUtf8::replace})
    CHECK(mentions(error_message([&] { split(text, policy); }), "file:1:", "UTF-16LE", "iconv -f UTF-16LE"));
}

TEST_CASE("Broken UTF-8 is refused with file and line, or replaced") {
  const std::string text = "good\nbad \xE2\x80\ngood\n\xFF\n\xC0\xAF\n\xED\xA0\x80\n";
  CHECK(mentions(error_message([&] { split(text); }), "file:2:", "byte 5", "0xE2", "data.bad_utf8"));
  CHECK(split(text, BadUtf8::replace) ==
        Lines{"good", "bad \uFFFD", "good", "\uFFFD", "\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD"});
  CHECK(mentions(error_message([] { bad_utf8_policy("ignore"); }), "data.bad_utf8", "refuse", "replace", "ignore"));
}

TEST_CASE("Six pairs with every Unicode line separator stay six pairs") {
  Fixture fixture;
  fixture.folder.write("train.en", "1\n2\u2028x\n3\u0085x\n4\u2029x\n5\vx\fx\n6\n");
  fixture.folder.write("train.de", "eins\nzwei\ndrei\nvier\nfünf\nsechs\n");
  const Split train = fixture.train();
  REQUIRE(train.source.size() == 6);
  CHECK(train.target[5] == "sechs");
  CHECK(train.source[5] == "6");
}

TEST_CASE("Ten pairs with NUL bytes stay ten pairs where bad bytes are replaced") {
  Fixture fixture;
  fixture.config.bad_utf8 = "replace";
  fixture.folder.write("train.en", std::string_view("1\n2\nabc\0def\n4\n5\n6\n\0\n8\n9\n10\n", 27));
  fixture.folder.write("train.de", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
  const Split train = fixture.train();
  REQUIRE(train.source.size() == 10);
  CHECK(train.source[2] == "abc\uFFFDdef");
  for (size_t i = 7; i < 10; ++i) CHECK(train.source[i] == train.target[i]);
}

TEST_CASE("Gzip is read by its content, with or without .gz in the config's stem") {
  Fixture fixture;
  std::filesystem::remove(fixture.folder.path() / "train.en");
  fixture.folder.write("train.en.gz", gzip("eins\nzwei\ndrei\n"));
  CHECK(fixture.train().source == Lines{"eins", "zwei", "drei"});
  // Several members one after the other, as `cat a.gz b.gz` makes them.
  fixture.folder.write("train.en.gz", gzip("eins\nzwei\n") + gzip("drei\n"));
  CHECK(fixture.train().source == Lines{"eins", "zwei", "drei"});
  const std::string packed = gzip("eins\nzwei\ndrei\n");
  fixture.folder.write("train.en.gz", packed.substr(0, packed.size() - 6));
  CHECK(mentions(fixture.refusal(), "data.train", "train.en.gz", "gzip"));
  std::string flipped = packed;
  flipped[packed.size() - 7] = static_cast<char>(flipped[packed.size() - 7] ^ 0x55);
  fixture.folder.write("train.en.gz", flipped);
  CHECK(mentions(fixture.refusal(), "train.en.gz", "damaged"));
}

TEST_CASE("A text that is there plain and packed is read if both are the same, and refused by both names if not") {
  Fixture fixture;
  fixture.folder.write("train.en.gz", gzip("one\ntwo\nthree\n"));
  CHECK(fixture.train().source == Lines{"one", "two", "three"});
  fixture.folder.write("train.en.gz", gzip("one\ntwo\nfour\n"));
  CHECK(mentions(fixture.refusal(), "data.train", "train.en' and", "train.en.gz' are both there and differ"));
}

TEST_CASE("Characters that tokenizers cannot keep are warned of with file and line") {
  Fixture fixture;
  CHECK(fixture.train().warnings.empty());
  fixture.folder.write("train.de", "eins\n\u2585 zwei\ndrei\n");
  const Split train = fixture.train();
  REQUIRE(train.warnings.size() == 1);
  CHECK(mentions(train.warnings[0], "train.de", "U+2585", "line 2"));
  CHECK(train.target[1] == "\u2585 zwei");
}

TEST_CASE("Unequal line counts are refused with both counts and both names") {
  Fixture fixture;
  fixture.folder.write("train.de", "eins\nzwei\n");
  CHECK(mentions(fixture.refusal(), "data.train", "train.en' has 3", "train.de' has 2"));
}

TEST_CASE("Training pairs with an empty side are dropped and counted, test pairs are kept") {
  Fixture fixture;
  fixture.folder.write("train.en", "1\n\n3\n4\n5\n");
  fixture.folder.write("train.de", "eins\nzwei\n \t\u2581\nvier\nfünf\n");
  fixture.folder.write("test.en", "1\n\n3\n");
  const Split train = fixture.train();
  CHECK(train.source == Lines{"1", "4", "5"});
  CHECK(train.target == Lines{"eins", "vier", "fünf"});
  CHECK(train.read == 5);
  CHECK(train.dropped == std::map<std::string, int64_t>{{"empty", 2}});
  const Split test = load_parallel_text(fixture.config, SplitName::test);
  CHECK(test.source == Lines{"1", "", "3"});
  CHECK(test.dropped.empty());
}

TEST_CASE("At most so many pairs are taken") {
  Fixture fixture;
  fixture.config.train_pairs = 2;
  CHECK(fixture.train().source == Lines{"one", "two"});
  CHECK(fixture.train().read == 2);
  CHECK(load_parallel_text(fixture.config, SplitName::test).source.size() == 3);
}

TEST_CASE("A file that cannot be read is named with its key and the reason") {
  Fixture fixture;
  const std::filesystem::path file = fixture.folder.path() / "train.de";
  SECTION("missing") {
    std::filesystem::remove(file);
    CHECK(mentions(fixture.refusal(), "data.train", file.string(), "no such file", ".gz"));
  }
  SECTION("a folder") {
    std::filesystem::remove(file);
    std::filesystem::create_directory(file);
    CHECK(mentions(fixture.refusal(), "data.train", file.string(), "folder"));
  }
  SECTION("a dangling link") {
    std::filesystem::remove(file);
    std::filesystem::create_symlink("nowhere", file);
    CHECK(mentions(fixture.refusal(), "data.train", file.string(), "link"));
  }
  SECTION("a FIFO") {
    std::filesystem::remove(file);
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    CHECK(mentions(fixture.refusal(), "data.train", file.string(), "not a regular file"));
  }
  SECTION("empty") {
    fixture.folder.write("train.de", "");
    CHECK(mentions(fixture.refusal(), "data.train", file.string(), "empty"));
  }
  SECTION("an empty gzip file") {
    std::filesystem::remove(file);
    fixture.folder.write("train.de.gz", gzip(""));
    CHECK(mentions(fixture.refusal(), "data.train", file.string(), "no line"));
  }
  SECTION("no permission") {
    std::filesystem::permissions(file, std::filesystem::perms::none);
    // The superuser may read everything.
    if (::geteuid() != 0) CHECK(mentions(fixture.refusal(), "data.train", file.string(), "no permission"));
  }
  SECTION("the whole folder is missing") {
    fixture.config.dir = (fixture.folder.path() / "nowhere").string();
    CHECK(mentions(fixture.refusal(), "data.dir", fixture.config.dir, "train.en"));
  }
  SECTION("an empty stem") {
    fixture.config.train = "";
    CHECK(mentions(fixture.refusal(), "data.train", "empty"));
  }
  SECTION("nothing but empty pairs") {
    fixture.folder.write("train.de", "\n\n\n");
    CHECK(mentions(fixture.refusal(), "data.train", "3 pairs"));
  }
}

}  // namespace attnlab::data
