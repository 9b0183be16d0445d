// One optimizer step: what accumulation, padding, clipping, threads and precision do to it.

#include "experiments/training/step.h"

#include <cmath>

#include "tests/experiments/training/bench.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/modules/support.h"
#include "tests/support/catch.h"

namespace attnlab::training {
namespace {

using data::EncodedPair;
using modules::testing::difference;
using tests::Bench;

constexpr int32_t kPad = 0, kBos = 2, kEos = 3;

EncodedPair pair_of(int length) {
  EncodedPair pair;
  for (int i = 0; i < length - 1; ++i) pair.source.push_back(4 + (i * 5 + length) % 8);
  pair.source.push_back(kEos);
  pair.target = pair.source;
  return pair;
}

/// The four sentences of 3, 30, 7 and 11 tokens.
std::vector<EncodedPair> four_pairs() {
  return {pair_of(3), pair_of(30), pair_of(7), pair_of(11)};
}

std::vector<data::Batch> windows(const std::vector<EncodedPair>& pairs, const data::BatchRows& rows) {
  std::vector<data::Batch> batches;
  for (const auto& batch : rows) batches.push_back(data::make_batch(pairs, batch, kPad, kBos));
  return batches;
}

spec::RunConfig without_dropout() {
  spec::RunConfig config = tests::tiny_config();
  config.model.dropout = {0, 0, 0, 0};
  return config;
}

TEST_CASE("Accumulated batches make the same step as one big batch", "[step]") {
  const auto pairs = four_pairs();
  Bench together(without_dropout());
  const StepResult whole = together.stepper->take(1, 0.01, windows(pairs, {{0, 1, 2, 3}}));
  CHECK(whole.target_tokens == 51);
  for (const data::BatchRows& rows : {data::BatchRows{{0, 1}, {2, 3}}, data::BatchRows{{0}, {1}, {2}, {3}}}) {
    Bench apart(without_dropout());
    const StepResult result = apart.stepper->take(1, 0.01, windows(pairs, rows));
    CHECK(result.loss == Approx(whole.loss).epsilon(1e-6));
    CHECK(result.gradient_norm == Approx(whole.gradient_norm).epsilon(1e-5));
    CHECK(difference(apart.parameters->gradients(), together.parameters->gradients()) < 1e-6);
    // Adam's first step is the sign of the gradient: where that is 0 up to rounding, the sign is noise.
    const torch::Tensor clear = together.parameters->gradients().abs() > 1e-5;
    CHECK(difference(apart.parameters->values() * clear, together.parameters->values() * clear) < 1e-6);
  }
}

TEST_CASE("Padding changes neither loss nor gradient", "[step]") {
  const auto pairs = four_pairs();
  data::Batch narrow = data::make_batch(pairs, {0, 2}, kPad, kBos);
  data::Batch wide = data::make_batch(pairs, {0, 2, 1}, kPad, kBos);
  wide.rows = 2;
  for (auto* ids : {&wide.target_input, &wide.target_output}) ids->resize(static_cast<size_t>(2 * wide.target_width));
  wide.source.resize(static_cast<size_t>(2 * wide.source_width));
  wide.source_lengths.resize(2);
  wide.target_lengths.resize(2);
  wide.target_tokens = narrow.target_tokens;
  REQUIRE(wide.target_width == 30);
  Bench one(without_dropout()), other(without_dropout());
  const StepResult a = one.stepper->take(1, 0.0, {narrow}), b = other.stepper->take(1, 0.0, {wide});
  CHECK(a.loss == Approx(b.loss).epsilon(1e-6));
  CHECK(difference(one.parameters->gradients(), other.parameters->gradients()) < 1e-6);
}

TEST_CASE("Clipping divides the whole gradient", "[step]") {
  const auto pairs = four_pairs();
  spec::RunConfig config = without_dropout();
  config.training.optimizer.epsilon = 1.0;  // so large that the step's length follows the gradient's
  Bench free(config);
  const double norm = free.stepper->take(1, 0.01, windows(pairs, {{0, 1, 2, 3}})).gradient_norm;
  config.training.clip_norm = norm / 4;
  Bench clipped(config);
  CHECK(clipped.stepper->take(1, 0.01, windows(pairs, {{0, 1, 2, 3}})).gradient_norm == Approx(norm));
  const double after = at::linalg_vector_norm(clipped.parameters->gradients()).item<double>();
  const double before = at::linalg_vector_norm(free.parameters->gradients()).item<double>();
  CHECK(after == Approx(before / 4).epsilon(1e-5));
  config.training.clip_norm = norm * 4;
  Bench loose(config);
  loose.stepper->take(1, 0.01, windows(pairs, {{0, 1, 2, 3}}));
  CHECK(difference(loose.parameters->values(), free.parameters->values()) == 0);
}

TEST_CASE("bf16 trains beside fp32, with float32 parameters", "[step]") {
  const auto pairs = four_pairs();
  spec::RunConfig config = without_dropout();
  Bench single(config);
  config.training.precision = "bf16";
  Bench mixed(config);
  const StepResult a = single.stepper->take(1, 0.01, windows(pairs, {{0, 1}, {2, 3}}));
  const StepResult b = mixed.stepper->take(1, 0.01, windows(pairs, {{0, 1}, {2, 3}}));
  CHECK(a.loss != b.loss);
  CHECK(b.loss == Approx(a.loss).epsilon(0.02));
  CHECK(mixed.parameters->values().scalar_type() == at::kFloat);
  CHECK_THROWS_WITH(precision("fp16"), "training.precision: 'fp16' is unknown; expected fp32 or bf16");
}

TEST_CASE("A broken loss or gradient changes no weight", "[step]") {
  const auto pairs = four_pairs();
  Bench bench(without_dropout());
  const torch::Tensor before = bench.parameters->values().clone();
  {
    torch::NoGradGuard no_grad;
    bench.model->parameters()[0][5][3] = std::nanf("");
  }
  const StepResult result = bench.stepper->take(3, 0.01, windows(pairs, {{0, 1, 2, 3}}));
  CHECK(result.failure == "the loss of step 3 is not finite");
  CHECK(torch::isnan(bench.parameters->values()).sum().item<int64_t>() == 1);

  bench.parameters->values().copy_(before * 1e5);
  const StepResult exploded = bench.stepper->take(4, 0.01, windows(pairs, {{0, 1, 2, 3}}));
  CHECK(exploded.failure.find("step 4") != std::string::npos);
  CHECK(torch::equal(bench.parameters->values(), before * 1e5));
}

}  // namespace
}  // namespace attnlab::training
