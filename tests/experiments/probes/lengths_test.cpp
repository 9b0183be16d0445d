#include "experiments/probes/lengths.h"

#include <algorithm>

#include "experiments/evaluation/evaluate.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"

namespace attnlab::probes {
namespace {

int64_t words(const std::string& line) {
  return 1 + std::count(line.begin(), line.end(), ' ');
}

TEST_CASE("buckets are multiples of the training length, upper edges included") {
  CHECK(bucket_of(3, 12) == 0);
  CHECK(bucket_of(4, 12) == 1);
  CHECK(bucket_of(12, 12) == 3);
  CHECK(bucket_of(13, 12) == 4);
  CHECK(bucket_of(24, 12) == 6);
  CHECK(bucket_of(48, 12) == 8);
  CHECK(bucket_of(49, 12) == -1);
}

TEST_CASE("longer pairs are drawn for each bucket, the same every time") {
  spec::DataConfig config;
  config.generator = "reverse";
  config.min_length = 3;
  config.max_length = 8;
  const data::Split split = draw_longer(config);
  REQUIRE(split.source.size() == 5 * 48);
  int64_t shortest = 99, longest = 0;
  for (const std::string& line : split.source) {
    shortest = std::min(shortest, words(line));
    longest = std::max(longest, words(line));
  }
  CHECK(shortest == 9);
  CHECK(longest == 32);
  CHECK(draw_longer(config).target == split.target);
  config.generator = "pronouns";
  CHECK(draw_longer(config).source.empty());
}

TEST_CASE("sums by token add up to the loss of the set") {
  const spec::RunConfig config = tests::tiny_config();
  const data::Dataset dataset = tests::dataset_of(config);
  auto model = tests::model_of(config, dataset);
  const int32_t bos = dataset.target_tokenizer.bos();
  const auto sums = token_sums(model, dataset.test, bos, 60);
  const auto whole = evaluation::score_loss(model, dataset.test, bos, 60);
  double loss = 0, right = 0;
  int64_t tokens = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    CHECK(sums[i].size() == dataset.test[i].target.size());
    for (const TokenSums& token : sums[i]) {
      loss += token.loss;
      right += token.right;
      tokens += token.tokens;
    }
  }
  CHECK(tokens == whole.tokens);
  CHECK(loss / static_cast<double>(tokens) == Approx(whole.loss).epsilon(1e-6));
  CHECK(right / static_cast<double>(tokens) == Approx(whole.accuracy));
  // A pair's numbers do not depend on its company.
  const auto alone = token_sums(model, std::vector{dataset.test.copy()[3]}, bos, 60);
  for (size_t t = 0; t < alone[0].size(); ++t) CHECK(alone[0][t].loss == Approx(sums[3][t].loss).margin(1e-5));
}

TEST_CASE("the probe counts every pair once, by length and by position") {
  spec::RunConfig config = tests::tiny_config();
  config.data.max_pieces = 15;  // of a training length of 6: what is longer than 2.5 times is left out
  const data::Dataset dataset = tests::dataset_of(config);
  auto model = tests::model_of(config, dataset);
  const Findings findings = make_lengths({config, dataset, ""})->finish(model, /*trained=*/true);
  const Json& document = findings.document;
  CHECK(document["training_length"] == 6);
  int64_t pairs = 0;
  for (const Json& bucket : document["by_source_length"]) pairs += bucket["pairs"].get<int64_t>();
  CHECK(pairs == document["test_pairs"].get<int64_t>() + document["drawn_pairs"].get<int64_t>());
  CHECK(document["left_out"]["longer_than_max_pieces"].get<int64_t>() > 48);
  CHECK(document["by_position"][0]["tokens"] == 20);
  CHECK(document["by_position"].size() == 7);
  CHECK(document["by_position_longer"].size() == 16);
  CHECK(findings.metrics.at("lengths.within.loss") > 0);
  CHECK(findings.metrics.count("lengths.to_2x.exact") == 1);
  CHECK(make_lengths({config, dataset, ""})->finish(model, /*trained=*/false).document.empty());
}

}  // namespace
}  // namespace attnlab::probes
