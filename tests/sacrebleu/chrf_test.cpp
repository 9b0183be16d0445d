#include "sacrebleu/chrf.h"

#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

TEST_CASE("chrF by hand", "[sacrebleu]") {
  // Order 1: hypothesis {a, b}, reference {a, c}: precision 1/2, recall 1/2, F = 1/2. Order 2: ab against ac: 0.
  ChrfOptions options;
  options.char_order = 1;
  CHECK(CHRF(options).sentence_score("a b", {"ac"}).score == Approx(50));
  options.char_order = 2;
  CHECK(CHRF(options).sentence_score("a b", {"ac"}).score == Approx(25));
}

TEST_CASE("beta weighs recall", "[sacrebleu]") {
  // Precision 1, recall 1/2: F_beta = (1 + b^2) p r / (b^2 p + r).
  ChrfOptions options;
  options.char_order = 1;
  CHECK(CHRF(options).sentence_score("a", {"ab"}).score == Approx(100 * 5 * 0.5 / (4 + 0.5)));
  options.beta = 1;
  CHECK(CHRF(options).sentence_score("a", {"ab"}).score == Approx(100 * 2 * 0.5 / 1.5));
}

TEST_CASE("Names and signatures of chrF and chrF++", "[sacrebleu]") {
  ChrfOptions options;
  options.word_order = 2;
  const auto score = CHRF(options).corpus_score({"the cat"}, {{"the cat"}});
  CHECK(score.name == "chrF2++");
  CHECK(score.signature.format() == "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0");
  CHECK(score.score == Approx(100));
}

TEST_CASE("Empty lines score 0, and almost 0 with epsilon smoothing", "[sacrebleu]") {
  CHECK(CHRF().sentence_score("", {""}).score == 0);
  ChrfOptions options;
  options.eps_smoothing = true;
  CHECK(CHRF(options).sentence_score("", {""}).score == Approx(1e-14));
}

TEST_CASE("The first of equally good references counts", "[sacrebleu]") {
  const auto first = CHRF().statistics("abc", {"xyz", "uvwxyz"});
  CHECK(first.row(0)[1] == 3);
  const auto second = CHRF().statistics("abc", {"uvwxyz", "xyz"});
  CHECK(second.row(0)[1] == 6);
}

TEST_CASE("What chrF refuses", "[sacrebleu]") {
  using Streams = std::vector<std::vector<std::optional<std::string>>>;
  const Streams missing = {{std::nullopt, "b"}};
  expect_error([&] { (void)CHRF().corpus_score({"a", "b"}, missing); }, ErrorKind::index, "line 1 has no reference");
  ChrfOptions nothing;
  nothing.char_order = 0;
  nothing.eps_smoothing = true;
  expect_error([&] { (void)CHRF(nothing).sentence_score("a", {"a"}); }, ErrorKind::zero_division, "order above 0");
}

}  // namespace
}  // namespace sacrebleu
