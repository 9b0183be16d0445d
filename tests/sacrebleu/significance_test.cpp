#include "sacrebleu/significance.h"

#include "sacrebleu/bleu.h"
#include "sacrebleu/bootstrap.h"
#include "sacrebleu/chrf.h"
#include "sacrebleu/ter.h"
#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

const std::vector<std::string> kSystem = {"a b c d e", "f g h i j", "k l m n o p"};
const std::vector<std::string> kOther = {"a b c d x", "f g h i j", "k l m n y p"};
const std::vector<std::vector<std::string>> kReferences = {{"a b c d e", "f g x i j", "k l m n o p"}};

TEST_CASE("Identical systems get the smallest p-value, as in the original", "[sacrebleu]") {
  const BLEU bleu;
  PairedOptions options;
  options.samples = 99;
  const auto columns = paired_test({{"a", &kSystem}, {"b", &kSystem}}, {&bleu}, kReferences, options);
  CHECK(columns.front().results[1].p_value == Approx(0.01));
}

TEST_CASE("Signatures of paired tests", "[sacrebleu]") {
  const TER ter;
  PairedOptions options;
  options.test = PairedTest::bootstrap;
  auto columns = paired_test({{"a", &kSystem}, {"b", &kOther}}, {&ter}, kReferences, options);
  CHECK(columns.front().signature.format().starts_with("nrefs:1|bs:1000|seed:12345|case:lc"));
  CHECK(columns.front().results[0].interval.has_value());
  options.test = PairedTest::randomisation;
  options.confidence_samples = 0;
  options.samples = 10;
  columns = paired_test({{"a", &kSystem}, {"b", &kOther}}, {&ter}, kReferences, options);
  CHECK(columns.front().signature.format().starts_with("nrefs:1|bs:1000|ar:10|seed:12345|case:lc"));
  CHECK(columns.front().results[1].interval.has_value());
}

TEST_CASE("A seed of zero seeds intervals but not tests", "[sacrebleu]") {
  const BLEU bleu;
  PairedOptions options;
  options.test = PairedTest::bootstrap;
  options.seed = "0";
  const std::vector<NamedSystem> systems = {{"a", &kSystem}, {"b", &kOther}};
  const auto first = paired_test(systems, {&bleu}, kReferences, options),
             second = paired_test(systems, {&bleu}, kReferences, options);
  CHECK(first[0].results[0].interval->mean == second[0].results[0].interval->mean);
  CHECK(first[0].results[1].interval->mean != second[0].results[1].interval->mean);
}

TEST_CASE("NumPy's mean in double and single precision", "[sacrebleu]") {
  const std::vector<double> values(1000, 0.1);
  // numpy.full(1000, 0.1).mean() and numpy.full(1000, 0.1, dtype="float32").mean()
  CHECK(numpy_mean(values, false) == 0.10000000000000002);
  CHECK(numpy_mean(values, true) == static_cast<double>(0.10000001639127731F));
}

TEST_CASE("What paired tests refuse", "[sacrebleu]") {
  const BLEU bleu;
  expect_error(
      [&] {
        paired_test({{"a", &kSystem}}, {&bleu}, kReferences);
      },
      ErrorKind::value, "at least one other system");
  const std::vector<std::string> longer(4, "a");
  expect_error(
      [&] {
        paired_test({{"a", &kSystem}, {"b", &longer}}, {&bleu}, kReferences);
      },
      ErrorKind::value, "has 3 lines");
}

TEST_CASE("The two NumPy rules give slightly different samples", "[sacrebleu]") {
  const CHRF chrf;
  CorpusOptions options;
  options.bootstrap_samples = 200;
  const auto two = chrf.corpus_score(kOther, kReferences, options);
  options.numpy = NumpyRules::numpy1;
  const auto one = chrf.corpus_score(kOther, kReferences, options);
  CHECK(one.score == two.score);
  CHECK(one.confidence->mean != two.confidence->mean);
  CHECK(one.confidence->mean == Approx(two.confidence->mean).epsilon(1e-5));
}

}  // namespace
}  // namespace sacrebleu
