#include "tokenizer/train.h"

#include <regex>

#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tokenizer/blanks.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::tokenizer {
namespace {

using tests::error_message;
using tests::mentions;

/// Twenty short lines.
std::vector<std::string_view> short_lines() {
  std::vector<std::string_view> lines;
  for (int i = 0; i < 5; ++i)
    for (const char* line : {"the cat sat on the mat", "the dog sat on the log", "a cat and a dog", "was it the cat"})
      lines.emplace_back(line);
  return lines;
}

Tokenizer trained(const TrainOptions& options, const std::vector<std::string_view>& lines = short_lines()) {
  return Tokenizer::from_bytes(train(lines, options), "trained");
}

TrainOptions options_of(ModelType type, int64_t vocab_size) {
  return {type, vocab_size, 1.0, {}};
}

/// The last number of a message.
int64_t last_number(const std::string& message) {
  std::smatch match;
  REQUIRE(std::regex_search(message, match, std::regex(R"(works is (\d+))")));
  return std::stoll(match[1]);
}

}  // namespace

TEST_CASE("The special ids are pad 0, unk 1, bos 2, eos 3 in every type of model") {
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::word, ModelType::character}) {
    const Tokenizer tokenizer = trained(options_of(type, 24));
    CHECK(tokenizer.pad() == 0);
    CHECK(tokenizer.unk() == 1);
    CHECK(tokenizer.bos() == 2);
    CHECK(tokenizer.eos() == 3);
    CHECK(tokenizer.decode(tokenizer.encode("the cat sat")) == "the cat sat");
  }
}

TEST_CASE("A word model has one piece a word and as many pieces as the text gives") {
  const Tokenizer tokenizer = trained(options_of(ModelType::word, 8000));
  // the cat sat on mat dog log a and was it, and the four special ones
  CHECK(tokenizer.vocab_size() == 15);
  const Ids ids = tokenizer.encode("a dog sat");
  REQUIRE(ids.size() == 3);
  CHECK(tokenizer.piece(ids[1]) == "▁dog");
  CHECK(trained(options_of(ModelType::word, 8)).vocab_size() == 8);
}

TEST_CASE("A char model has one piece a character") {
  const Tokenizer tokenizer = trained(options_of(ModelType::character, 8000));
  // a b-less alphabet: t h e c a s o n m d g l w i, the blank, and the four special ones
  CHECK(tokenizer.vocab_size() == 19);
  CHECK(tokenizer.encode("cat").size() == 4);
}

TEST_CASE("The same lines give the same model, whatever the type") {
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::word, ModelType::character})
    CHECK(train(short_lines(), options_of(type, 24)) == train(short_lines(), options_of(type, 24)));
}

TEST_CASE("A vocabulary that is too large becomes what the text gives, the same as if that had been asked for") {
  for (const ModelType type : {ModelType::bpe, ModelType::unigram}) {
    const std::string model = train(short_lines(), options_of(type, 8000));
    const int32_t pieces = Tokenizer::from_bytes(model, "model").vocab_size();
    CHECK(pieces > 20);
    CHECK(pieces < 100);
    CHECK(train(short_lines(), options_of(type, pieces)) == model);
    CHECK(train(short_lines(), options_of(type, pieces + 1)) == model);
  }
}

TEST_CASE("A vocabulary that is too small is refused with the size that works, and that size works") {
  for (const ModelType type : {ModelType::bpe, ModelType::unigram}) {
    const std::string small = error_message([&] { trained(options_of(type, 10)); });
    CHECK(mentions(small, "tokenizer.vocab_size", "10", "smallest"));
    CHECK(trained(options_of(type, last_number(small))).vocab_size() == last_number(small));
    CHECK(error_message([&] { trained(options_of(type, last_number(small) - 1)); }) != "(no error)");
  }
}

TEST_CASE("After an error there is no model file") {
  const tests::TemporaryFolder folder;
  CHECK(error_message([&] {
          train_to_file(short_lines(), options_of(ModelType::bpe, 8), folder.path() / "a.model");
        }) != "(no error)");
  CHECK(std::filesystem::is_empty(folder.path()));
  train_to_file(short_lines(), options_of(ModelType::bpe, 30), folder.path() / "a.model");
  CHECK(Tokenizer::load((folder.path() / "a.model").string()).vocab_size() == 30);
}

TEST_CASE("Options out of their range are refused by key") {
  CHECK(mentions(error_message([] { model_type("wordpiece"); }), "tokenizer.type", "unigram", "wordpiece"));
  CHECK(mentions(error_message([] { trained(options_of(ModelType::bpe, 4)); }), "tokenizer.vocab_size", "4"));
  CHECK(mentions(error_message([] { trained({ModelType::bpe, 30, 0.5, {}}); }), "tokenizer.character_coverage", "0.5"));
  CHECK(mentions(error_message([] { train({}, {}); }), "no text"));
  for (const char* blank : {"", "  ", "\t", "\u2581", "\u2585"})
    CHECK(mentions(error_message([&] { train({blank}, {}); }), "no text"));
}

TEST_CASE("Each user symbol is exactly one id, alone and inside a sentence, and decodes back") {
  const std::vector<std::string> symbols = {"<mask>", "<lang de>", "a,b", "'q'", "\"x\"", "<n>"};
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::character}) {
    const Tokenizer tokenizer = trained({type, 30, 1.0, symbols});
    for (const std::string& symbol : symbols) {
      const Ids alone = tokenizer.encode(symbol);
      REQUIRE(alone.size() == 1);
      CHECK(tokenizer.decode(alone) == symbol);
      for (const std::string& sentence : {"the " + symbol + " cat", symbol + " cat", "  " + symbol, "cat" + symbol}) {
        const Ids ids = tokenizer.encode(sentence);
        CHECK(std::count(ids.begin(), ids.end(), alone[0]) == 1);
        CHECK(tokenizer.decode(ids) == with_plain_blanks(sentence));
      }
    }
    CHECK(tokenizer.piece(tokenizer.encode("<mask>")[0]) == "<mask>");
    CHECK(tokenizer.piece(tokenizer.encode("<lang de>")[0]) == "<lang▁de>");
  }
}

TEST_CASE("User symbols that cannot be are refused") {
  const auto refusal = [](std::vector<std::string> symbols) {
    return error_message([&] { trained({ModelType::bpe, 40, 1.0, std::move(symbols)}); });
  };
  CHECK(mentions(refusal({""}), "tokenizer.user_symbols", "empty"));
  CHECK(mentions(refusal({"<mask>", "<n>", "<mask>"}), "<mask>", "twice"));
  CHECK(mentions(refusal({" x"}), "blank"));
  CHECK(mentions(refusal({"   "}), "blank"));
  CHECK(mentions(refusal({"a\nb"}), "control character"));
  CHECK(mentions(refusal({"a  b"}), "two blanks side by side"));
  CHECK(mentions(refusal({"</s>"}), "special symbol"));
  CHECK(mentions(refusal({"<pad>"}), "special symbol"));
  CHECK(mentions(refusal({"\xFF"}), "UTF-8"));
  CHECK(mentions(error_message([] { trained({ModelType::word, 40, 1.0, {"<mask>"}}); }), "word model"));
}

TEST_CASE("Text that spells a control symbol never becomes its id, even where training saw it often") {
  const std::vector<std::string_view> lines(50, "</s> <pad> the cat</s> <s><unk> sat");
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::word, ModelType::character}) {
    // The largest vocabularies that these lines give.
    const int64_t size = type == ModelType::bpe ? 40 : type == ModelType::unigram ? 20 : 100;
    const Tokenizer tokenizer = trained(options_of(type, size), lines);
    for (const char* text : {"</s>", "<pad>", "<s>", "the </s> cat <pad>", "</s><s>"}) {
      for (const int32_t id : tokenizer.encode(text)) {
        CHECK(id != tokenizer.eos());
        CHECK(id != tokenizer.pad());
        CHECK(id != tokenizer.bos());
      }
    }
  }
}

TEST_CASE("Blanks of the text change nothing in the model, whatever its type") {
  const std::vector<std::string_view> plain(20, "the cat sat on the mat");
  std::vector<std::string_view> odd(10, "  the cat\tsat  on the\u2581mat ");
  odd.insert(odd.end(), 10, "the cat sat on the mat\r");
  odd.insert(odd.end(), 3, " \t");
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::word, ModelType::character})
    CHECK(train(odd, options_of(type, 24)) == train(plain, options_of(type, 24)));
}

TEST_CASE("Lines with U+2585 are trained on, but for that character") {
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::word, ModelType::character}) {
    const std::vector<std::string_view> lines(10, "the zebra \u2585 sat\u2585");
    const Tokenizer tokenizer = trained(options_of(type, 24), lines);
    CHECK(tokenizer.decode(tokenizer.encode("zebra sat")) == "zebra sat");
    CHECK(tokenizer.decode(tokenizer.encode("zebra \u2585")) == "zebra \u2047");
  }
}

TEST_CASE("As a user symbol U+2585 is a piece") {
  const std::vector<std::string_view> lines(10, "the zebra \u2585 sat\u2585");
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::character}) {
    const Tokenizer tokenizer = trained({type, 30, 1.0, {"\u2585"}}, lines);
    CHECK(tokenizer.decode(tokenizer.encode("zebra \u2585 sat\u2585")) == "zebra \u2585 sat\u2585");
  }
}

TEST_CASE("A tab is a blank, not an unknown character") {
  for (const ModelType type : {ModelType::bpe, ModelType::unigram, ModelType::word, ModelType::character}) {
    const Tokenizer tokenizer = trained(options_of(type, 24), {"the\tcat", "the cat sat", "a\tcat"});
    CHECK(tokenizer.decode(tokenizer.encode("the\tcat")) == "the cat");
  }
}

TEST_CASE("Lines that are too long to train on are counted, and the first is numbered") {
  const std::string longest(kLongestTrainingLine, 'q'), longer = longest + "q";
  LongLines too_long;
  CHECK(too_long.notes().empty());
  int64_t number = 0;
  for (const std::string& line : {std::string("a"), longest, longer, std::string(), longer})
    too_long.add(line, ++number);
  REQUIRE(too_long.notes().size() == 1);
  CHECK(too_long.notes()[0].starts_with("2 lines of more than 8192 bytes, line 3 is the first: "));
}

TEST_CASE("Lines that have no part in training are not counted as trained on") {
  const std::string longer(kLongestTrainingLine + 1, 'q');
  CHECK(count_trainable({}) == 0);
  CHECK(count_trainable({"a", longer, "", " \t", "\u2585", "b\u2585", std::string_view("\0", 1)}) == 2);
}

TEST_CASE("NUL bytes and over-long lines do no harm to training") {
  std::vector<std::string_view> lines = short_lines();
  lines.emplace_back("cat\0zebra", 9);
  const std::string long_line(1'000'000, 'q');
  lines.emplace_back(long_line);
  const Tokenizer tokenizer = trained(options_of(ModelType::character, 100), lines);
  for (int32_t id = 0; id < tokenizer.vocab_size(); ++id) {
    CHECK(tokenizer.piece(id).find('\0') == std::string::npos);
    CHECK(tokenizer.piece(id) != "q");
  }
  // What follows the NUL is seen: z is a known character.
  CHECK(tokenizer.decode(tokenizer.encode("z")) == "z");
}

}  // namespace attnlab::tokenizer
