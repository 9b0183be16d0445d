#include "sacrebleu/parallel.h"

#include <atomic>
#include <vector>

#include "sacrebleu/bleu.h"
#include "sacrebleu/chrf.h"
#include "sacrebleu/significance.h"
#include "sacrebleu/ter.h"
#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

TEST_CASE("Every index is visited once", "[sacrebleu]") {
  for (const std::size_t count : {0, 1, 7, 1000}) {
    std::vector<std::atomic<int>> visits(count);
    parallel_for(count, 3, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& visit : visits) REQUIRE(visit == 1);
  }
}

TEST_CASE("The error of the earliest block is thrown", "[sacrebleu]") {
  expect_error(
      [] {
        parallel_for(1000, 4, [](std::size_t begin, std::size_t) {
          throw Error(ErrorKind::runtime, "block " + std::to_string(begin));
        });
      },
      ErrorKind::runtime, "block 0");
}

std::vector<std::string> lines(int seed) {
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i) {
    std::string line;
    for (int w = 0; w < 3 + (i * 7 + seed) % 20; ++w)
      line += "w" + std::to_string((i * 31 + w * w + seed * (w % 5)) % 40) + ' ';
    all.push_back(line);
  }
  return all;
}

TEST_CASE("Results have the same bits with any number of threads", "[sacrebleu]") {
  const auto first = lines(0), second = lines(1);
  const std::vector<std::vector<std::string>> references = {lines(2), lines(3)};
  const BLEU bleu;
  const CHRF chrf;
  const TER ter;
  for (const Metric* metric : std::vector<const Metric*>{&bleu, &chrf, &ter}) {
    CorpusOptions one, four;
    four.threads = 4;
    one.bootstrap_samples = four.bootstrap_samples = 100;
    const Score a = metric->evaluate(first, references, one), b = metric->evaluate(first, references, four);
    CHECK(a.score == b.score);
    CHECK(a.confidence->mean == b.confidence->mean);
    CHECK(a.confidence->half_width == b.confidence->half_width);
    for (const auto test : {PairedTest::bootstrap, PairedTest::randomisation}) {
      PairedOptions options;
      options.test = test;
      options.samples = 150;
      const std::vector<NamedSystem> systems = {{"a", &first}, {"b", &second}};
      const auto serial = paired_test(systems, {metric}, references, options);
      options.threads = 4;
      const auto threaded = paired_test(systems, {metric}, references, options);
      CHECK(serial[0].results[1].p_value == threaded[0].results[1].p_value);
    }
  }
}

}  // namespace
}  // namespace sacrebleu
