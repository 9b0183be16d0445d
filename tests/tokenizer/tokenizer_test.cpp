#include "tokenizer/tokenizer.h"

#include <fstream>
#include <sstream>
#include <thread>

#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tokenizer/blanks.h"
#include "tokenizer/train.h"
#include "tokenizer/utf8.h"

namespace attnlab::tokenizer {
namespace {

using tests::error_message;
using tests::mentions;

const std::string kData = ATTNLAB_TESTS_DIR "/tokenizer/data/";

/// A model of every type that knows the characters of a few awkward lines.
Tokenizer small_model(ModelType type) {
  const std::vector<std::string_view> lines = {"  a   b\u00A0c ﬁ ½ ．", "25. September", "ein Haus und\tein Baum",
                                               "25 Häuser"};
  return Tokenizer::from_bytes(train(lines, {type, type == ModelType::bpe ? 50 : 45, 1.0, {}}), "small");
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

}  // namespace

TEST_CASE("Ids and text agree with the Python package, and the special ids are the model's own") {
  const Tokenizer tokenizer = Tokenizer::load(kData + "byte_fallback.model");
  CHECK(tokenizer.vocab_size() == 340);
  CHECK(tokenizer.unk() == 0);
  CHECK(tokenizer.bos() == 1);
  CHECK(tokenizer.eos() == 2);
  CHECK(tokenizer.pad() == 3);
  std::ifstream expected(kData + "expected.tsv");
  int lines = 0;
  for (std::string line; std::getline(expected, line); ++lines) {
    const auto fields = fields_of(line);
    Ids ids;
    std::istringstream numbers(fields.at(1));
    for (int32_t id; numbers >> id;) ids.push_back(id);
    CHECK(tokenizer.encode(fields.at(0)) == ids);
    CHECK(tokenizer.decode(ids) == fields.at(2));
  }
  CHECK(lines == 5);
}

TEST_CASE("Encoding and decoding gives the same text with plain blanks") {
  for (const ModelType type : {ModelType::bpe, ModelType::character}) {
    const Tokenizer tokenizer = small_model(type);
    for (const std::string text :
         {"  a   b\u00A0c ﬁ ½ ．", "25. September", "", " ", "   ", "Haus  ", " ein Haus", "ein  Haus", "ein\tHaus"})
      CHECK(tokenizer.decode(tokenizer.encode(text)) == with_plain_blanks(text));
  }
}

TEST_CASE("Blanks at the ends, doubled ones and tabs change no id, and a line of blanks has none") {
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::word, ModelType::character}) {
    const Tokenizer tokenizer = small_model(type);
    const Ids ids = tokenizer.encode("ein Haus und ein Baum");
    for (const char* text : {"ein Haus und ein Baum ", "  ein Haus und ein Baum", "ein  Haus und\tein \t Baum\r",
                             "ein\u2581Haus und ein Baum"})
      CHECK(tokenizer.encode(text) == ids);
    for (const char* text : {"", " ", "   ", "\t", " \r", "\u2581"}) CHECK(tokenizer.encode(text).empty());
  }
}

TEST_CASE("Unknown characters and words become one sign, and a second round changes nothing") {
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::word, ModelType::character}) {
    // The unigram and word models of so little text know few pieces; all the more is unknown.
    const Tokenizer tokenizer =
        type == ModelType::unigram
            ? Tokenizer::from_bytes(train({"ein Haus und ein Baum", "a b c"}, {type, 18, 1.0, {}}), "unigram")
            : small_model(type);
    for (const std::string text :
         {"a ∰ b", "∰∰ a", "a∰", "∰", "Zebra ein Yak", "a ∰ ∰∰ b  ∰", "ein \u2028 Haus\u0085\u2029"}) {
      const std::string once = tokenizer.decode(tokenizer.encode(text));
      CHECK(tokenizer.decode(tokenizer.encode(once)) == once);
    }
  }
  const Tokenizer tokenizer = small_model(ModelType::bpe);
  CHECK(tokenizer.decode(tokenizer.encode("a ∰∰ b")) == "a ⁇ b");
}

TEST_CASE("A line of only unknown pieces encodes and decodes") {
  const Tokenizer tokenizer = small_model(ModelType::word);
  const Ids ids = tokenizer.encode("漢字");
  REQUIRE(!ids.empty());
  CHECK(ids == Ids{tokenizer.unk()});
  CHECK(tokenizer.decode(ids) == "⁇");
}

TEST_CASE("Broken UTF-8 is read as U+FFFD and nothing throws") {
  for (const ModelType type : {ModelType::bpe, ModelType::character, ModelType::word}) {
    const Tokenizer tokenizer = small_model(type);
    for (const std::string text : {"\xE2\x80", "\xFF", "\xC0\xAF", "\xED\xA0\x80",
                                   "ein Stra\xDF"
                                   "e"}) {
      CHECK(tokenizer.encode(text) == tokenizer.encode(with_invalid_utf8_replaced(text)));
      CHECK(first_invalid_utf8(tokenizer.decode(tokenizer.encode(text))) == std::string_view::npos);
    }
  }
}

TEST_CASE("A lone byte piece decodes to valid UTF-8") {
  const Tokenizer tokenizer = Tokenizer::load(kData + "byte_fallback.model");
  const Ids euro = tokenizer.encode("€");
  REQUIRE(euro.size() == 4);  // the blank and three bytes
  CHECK(tokenizer.piece(euro[1]) == "<0xE2>");
  CHECK(tokenizer.decode(euro) == "€");
  CHECK(tokenizer.decode({euro[0], euro[1]}) == "\uFFFD");
  for (int32_t id = 0; id < tokenizer.vocab_size(); ++id) {
    CHECK(first_invalid_utf8(tokenizer.piece(id)) == std::string_view::npos);
    CHECK(first_invalid_utf8(tokenizer.decode({id, euro[1], id})) == std::string_view::npos);
  }
}

TEST_CASE("NUL is an unknown character that cuts nothing off") {
  const Tokenizer tokenizer = small_model(ModelType::character);
  const std::string text("ein\0Haus", 8);
  CHECK(tokenizer.decode(tokenizer.encode(text)) == "ein⁇Haus");
  CHECK(tokenizer.encode(std::string(1, '\0')).size() == 2);
}

TEST_CASE("bos, eos and pad are left out of the text") {
  const Tokenizer tokenizer = small_model(ModelType::bpe);
  Ids ids = {tokenizer.bos()};
  for (const int32_t id : tokenizer.encode("ein Haus")) ids.push_back(id);
  ids.insert(ids.end(), {tokenizer.eos(), tokenizer.pad(), tokenizer.pad()});
  CHECK(tokenizer.decode(ids) == "ein Haus");
  CHECK(tokenizer.decode({}).empty());
  CHECK(tokenizer.decode({tokenizer.eos()}).empty());
}

TEST_CASE("Ids outside the vocabulary are refused") {
  const Tokenizer tokenizer = small_model(ModelType::character);
  for (const int32_t id : {-1, tokenizer.vocab_size()}) {
    CHECK(mentions(error_message([&] { tokenizer.decode({id}); }), std::to_string(id), "vocabulary"));
    CHECK(mentions(error_message([&] { tokenizer.piece(id); }), std::to_string(id), "vocabulary"));
  }
}

TEST_CASE("A line of a megabyte encodes, of known and of unknown characters") {
  const Tokenizer tokenizer = small_model(ModelType::bpe);
  CHECK(tokenizer.encode(std::string(1'000'000, 'a')).size() > 100'000);
  CHECK(!tokenizer.encode(std::string(1'000'000, 'q')).empty());
  std::string wide;
  while (wide.size() < 100'000) wide += "漢";
  CHECK(first_invalid_utf8(tokenizer.decode(tokenizer.encode(wide))) == std::string_view::npos);
}

TEST_CASE("Where a long line is cut cannot be seen in its ids") {
  const Tokenizer tokenizer = small_model(ModelType::bpe);
  std::string line;
  Ids expected;
  const Ids words = tokenizer.encode("ein Haus 25");
  while (line.size() < 20'000) {
    line += line.empty() ? "ein Haus 25" : " ein Haus 25";
    expected.insert(expected.end(), words.begin(), words.end());
  }
  CHECK(tokenizer.encode(line) == expected);
  CHECK(tokenizer.decode(tokenizer.encode(line)) == line);
  CHECK(tokenizer.encode("ein" + std::string(10'000, ' ') + "Haus 25") == words);
}

TEST_CASE("Models that are missing, damaged or without a pad symbol are refused by path") {
  const tests::TemporaryFolder folder;
  const auto refusal = [](const std::string& path) { return error_message([&] { Tokenizer::load(path); }); };
  CHECK(mentions(refusal((folder.path() / "none.model").string()), "none.model", "no such file"));
  CHECK(mentions(refusal(folder.path().string()), folder.path().string(), "folder"));
  CHECK(mentions(refusal(folder.write("empty.model", "").string()), "empty.model", "empty"));
  CHECK(mentions(refusal(folder.write("text.model", "this is no model").string()), "text.model",
                 "not a SentencePiece model"));
  const std::string whole = read_file(kData + "byte_fallback.model", "model");
  const std::string half = refusal(folder.write("half.model", whole.substr(0, whole.size() / 2)).string());
  CHECK(mentions(half, "half.model"));
  CHECK(mentions(refusal(kData + "no_pad.model"), "no_pad.model", "no pad symbol", "--pad_id=0"));
}

TEST_CASE("The bytes of a model are those of its file, and make the same tokenizer again") {
  const Tokenizer tokenizer = Tokenizer::load(kData + "byte_fallback.model");
  CHECK(tokenizer.bytes() == read_file(kData + "byte_fallback.model", "model"));
  CHECK(Tokenizer::from_bytes(tokenizer.bytes(), "again").encode("The street") == tokenizer.encode("The street"));
}

TEST_CASE("One tokenizer serves several threads") {
  const Tokenizer tokenizer = small_model(ModelType::bpe);
  const Ids expected = tokenizer.encode("25. September  ein Haus");
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& count : wrong)
    threads.emplace_back([&tokenizer, &expected, &count] {
      for (int i = 0; i < 500; ++i) count += tokenizer.encode("25. September  ein Haus") != expected;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

}  // namespace attnlab::tokenizer
