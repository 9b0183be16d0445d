// Batches in parts, and what several threads make of them.

#include "experiments/training/batch_parts.h"

#include <memory>

#include <ATen/Parallel.h>

#include "tests/experiments/training/bench.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/modules/support.h"
#include "tests/support/catch.h"

namespace attnlab::training {
namespace {

using modules::testing::difference;

constexpr int32_t kPad = 0, kBos = 2, kEos = 3;

std::vector<data::EncodedPair> pairs_of(const std::vector<int>& lengths) {
  std::vector<data::EncodedPair> pairs;
  for (const int length : lengths) {
    data::EncodedPair pair;
    for (int i = 0; i < length - 1; ++i) pair.source.push_back(4 + (i * 5 + length) % 8);
    pair.source.push_back(kEos);
    pair.target = pair.source;
    pair.source.insert(pair.source.begin(), static_cast<size_t>(length % 3), 5);
    pairs.push_back(pair);
  }
  return pairs;
}

data::Batch batch_of(const std::vector<int>& lengths) {
  const auto pairs = pairs_of(lengths);
  std::vector<int64_t> rows;
  for (size_t i = 0; i < pairs.size(); ++i) rows.push_back(static_cast<int64_t>(i));
  return data::make_batch(pairs, rows, kPad, kBos);
}

std::vector<int64_t> counts(const std::vector<BatchPart>& parts) {
  std::vector<int64_t> result;
  for (const BatchPart& part : parts) result.push_back(part.count);
  return result;
}

/// Three steps taken on so many threads.
struct Steps {
  Steps(const spec::RunConfig& config, int threads) {
    const int before = at::get_num_threads();
    at::set_num_threads(threads);
    bench = std::make_unique<tests::Bench>(config);
    std::vector<int> lengths;
    for (int i = 0; i < 120; ++i) lengths.push_back(3 + i * 7 % 11);
    const data::Batch batch = batch_of(lengths), other = batch_of({9, 12, 4});
    for (int64_t step = 1; step <= 3; ++step) result = bench->stepper->take(step, 1e-3, {batch, other});
    at::set_num_threads(before);
  }

  std::unique_ptr<tests::Bench> bench;
  StepResult result;
};

TEST_CASE("Parts hold every sentence once, in order, and about the same tokens", "[parts]") {
  const data::Batch batch = batch_of({10, 10, 10, 10, 10, 10, 10, 10});
  CHECK(counts(split(batch, 1, 1)) == std::vector<int64_t>{8});
  CHECK(counts(split(batch, 2, 1)) == std::vector<int64_t>{4, 4});
  CHECK(counts(split(batch, 4, 1)) == std::vector<int64_t>{2, 2, 2, 2});
  CHECK(split(batch, 100, 1).size() == 8);
  const auto halves = split(batch, 2, 1);
  CHECK(halves[1].first == 4);
  CHECK(halves[1].tokens.target == 40);
  CHECK(halves[1].tokens.source == 44);
  CHECK(counts(split(batch_of({60, 3, 3, 3}), 2, 1)) == std::vector<int64_t>{1, 3});
  CHECK(counts(split(batch_of({3, 3, 3, 60}), 2, 1)) == std::vector<int64_t>{3, 1});
}

TEST_CASE("A part that would have too few tokens is not made", "[parts]") {
  const data::Batch batch = batch_of({10, 10, 10, 10, 10, 10, 10, 10});
  CHECK(split(batch, 4, 40).size() == 2);
  CHECK(split(batch, 4, 41).size() == 1);
  CHECK(split(batch_of({5}), 4, 1).size() == 1);
}

TEST_CASE("The number of threads changes a step by rounding only, dropout included", "[parts]") {
  for (const char* precision : {"fp32", "bf16"}) {
    spec::RunConfig config = tests::tiny_config();
    config.model.dropout = {0.2, 0.2, 0.2, 0.2};
    config.training.precision = precision;
    const bool exact = config.training.precision == "fp32";
    const Steps one(config, 1), two(config, 2), three(config, 3), again(config, 3);
    INFO(precision);
    CHECK(two.result.loss == Approx(one.result.loss).epsilon(exact ? 1e-5 : 2e-2));
    CHECK(three.result.gradient_norm == Approx(one.result.gradient_norm).epsilon(exact ? 1e-4 : 5e-2));
    CHECK(three.result.target_tokens == one.result.target_tokens);
    if (exact) {
      // Adam turns a rounding of a tiny gradient into a whole step, so gradients are compared, not weights.
      const double size = one.bench->parameters->gradients().abs().max().item<double>();
      CHECK(difference(one.bench->parameters->gradients(), two.bench->parameters->gradients()) < 1e-2 * size);
    }
    CHECK(torch::equal(three.bench->parameters->values(), again.bench->parameters->values()));
  }
}

TEST_CASE("BatchNorm sees the whole batch on every number of threads", "[parts]") {
  spec::RunConfig config = tests::tiny_config();
  config.model.norm.type = "batch_norm";
  const Steps one(config, 1), three(config, 3);
  CHECK(three.result.loss == Approx(one.result.loss).epsilon(1e-5));
}

}  // namespace
}  // namespace attnlab::training
