#include "sacrebleu/bleu.h"

#include "sacrebleu/error.h"
#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

const std::vector<std::string> kHypotheses = {"The dog bit the man.", "It wasn't surprising.",
                                              "The man had just bitten him."};
const std::vector<std::vector<std::string>> kReferences = {
    {"The dog bit the man.", "It was not unexpected.", "The man bit him first."},
    {"The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."}};

TEST_CASE("BLEU of the original's first example", "[sacrebleu]") {
  const BleuScore score = BLEU().corpus_score(kHypotheses, kReferences);
  CHECK(score.score == Approx(48.530827009929865).epsilon(1e-12));
  CHECK(score.counts == std::vector<double>{14, 7, 5, 3});
  CHECK(score.totals == std::vector<double>{17, 14, 11, 8});
  CHECK(score.format() ==
        "BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 48.53 82.4/50.0/45.5/37.5 "
        "(BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)");
  CHECK(score.signature.format(/*shorter=*/true) == "#:2|c:mixed|e:no|tok:13a|s:exp|v:2.6.0");
}

TEST_CASE("Clipped counts by hand", "[sacrebleu]") {
  // "the" occurs seven times in the hypothesis, twice in one reference and once in the other: two matches (Papineni et
  // al.).
  BleuOptions options;
  options.max_ngram_order = 1;
  const auto score = BLEU(options).corpus_score({"the the the the the the the"},
                                                {{"the cat is on the mat"}, {"there is a cat on the mat"}});
  CHECK(score.counts == std::vector<double>{2});
  CHECK(score.totals == std::vector<double>{7});
  CHECK(score.ref_len == 7);
  CHECK(score.score == Approx(200.0 / 7));
}

TEST_CASE("The closest reference length is the shorter one at equal distance", "[sacrebleu]") {
  BleuOptions options;
  options.effective_order = true;
  CHECK(BLEU(options).sentence_score("a b c d", {"a b c d e f", "a b"}).ref_len == 2);
  CHECK(BLEU(options).sentence_score("a b c d", {"a b", "a b c d e f"}).ref_len == 2);
}

TEST_CASE("Missing references are left out, empty ones are not", "[sacrebleu]") {
  using Streams = std::vector<std::vector<std::optional<std::string>>>;
  const BLEU bleu;
  const Streams missing = {{"a b c d", "e f g h"}, {std::nullopt, "e f g h"}};
  CHECK(bleu.corpus_score({"a b c d", "e f g h"}, missing).signature.format().starts_with("nrefs:var|"));
  const Streams empty = {{"a b c d"}, {""}};
  CHECK(bleu.corpus_score({"a"}, empty).ref_len == 0);
}

TEST_CASE("Mismatched lengths are an error unless a cut is asked for", "[sacrebleu]") {
  const BLEU bleu;
  const std::vector<std::string> two = {"a b c d", "e f g h"};
  expect_error([&] { (void)bleu.corpus_score(two, {{"a b c d"}}); }, ErrorKind::value,
               "reference stream 1 has 1 lines, but there are 2 hypotheses");
  CorpusOptions cut;
  cut.length_mismatch = LengthMismatch::cut;
  CHECK(bleu.corpus_score(two, {{"a b c d"}}, cut).score == Approx(100));
}

TEST_CASE("What BLEU refuses", "[sacrebleu]") {
  const BLEU bleu;
  expect_error([&] { (void)bleu.corpus_score({}, {{"a"}}); }, ErrorKind::index, "no hypotheses");
  expect_error([&] { (void)bleu.corpus_score({"a"}, References(std::vector<std::vector<std::string>>{})); },
               ErrorKind::index, "no references");
  expect_error([&] { (void)bleu.corpus_score({"a \xff"}, {{"a"}}); }, ErrorKind::unicode, "not valid UTF-8");
  BleuOptions unknown;
  unknown.tokenize = "14a";
  expect_error([&] { BLEU{unknown}; }, ErrorKind::value, "unknown tokenizer '14a'");
  BleuOptions external;
  external.tokenize = "flores200";
  expect_error([&] { BLEU{external}; }, ErrorKind::runtime, "needs a model");
  expect_error([&] { smoothing_from_name("linear"); }, ErrorKind::value, "unknown smoothing method");
  BleuOptions negative;
  negative.smooth_method = Smoothing::floor;
  negative.smooth_value = -1;
  expect_error([&] { (void)BLEU(negative).corpus_score({"a b c d e"}, {{"a x"}}); }, ErrorKind::value,
               "smoothing value");
}

TEST_CASE("Warnings go to the log", "[sacrebleu]") {
  std::vector<std::string> messages;
  BleuOptions options;
  options.log = [&](LogLevel, const std::string& message) { messages.push_back(message); };
  const std::vector<std::string> tokenised(100, "a b c d .");
  (void)BLEU(options).corpus_score(tokenised, std::vector<std::vector<std::string>>{tokenised});
  REQUIRE(messages.size() == 3);
  CHECK(messages[0] == "That's 100 lines that end in a tokenized period ('.')");
  messages.clear();
  (void)BLEU(options).sentence_score("a", {"a"});
  CHECK(messages == std::vector<std::string>{"It is recommended to enable `effective_order` for sentence-level BLEU."});
  messages.clear();
  options.trg_lang = "zh";
  options.tokenize = "13a";
  BLEU{options};
  CHECK(messages == std::vector<std::string>{"Consider using the 'zh' or 'spm' tokenizer for Chinese."});
  options.tokenize.clear();
  CHECK(BLEU(options).signature(1).format().find("tok:zh") != std::string::npos);
}

TEST_CASE("Formats: width, score only, JSON", "[sacrebleu]") {
  const BleuScore score = BLEU().corpus_score(kHypotheses, kReferences);
  Score::Format format;
  format.width = 4;
  format.score_only = true;
  CHECK(score.format(format) == "48.5308");
  format.format = ScoreFormat::json;
  CHECK(score.format(format) == "48.5308");
  format.score_only = false;
  CHECK(score.format(format).starts_with("{\n \"name\": \"BLEU\",\n \"score\": 48.5308,\n \"signature\": \"nrefs:2|"));
  format.width = -1;
  expect_error([&] { (void)score.format(format); }, ErrorKind::value, "number of decimals");
}

}  // namespace
}  // namespace sacrebleu
