#include "experiments/training/loss.h"

#include <cmath>
#include <limits>

#include "experiments/checkpoint/safetensors.h"
#include "support/error.h"
#include "tests/modules/support.h"
#include "tests/support/catch.h"

namespace attnlab::training {
namespace {

using modules::testing::difference;

/// One committed file of expected tensors, by name.
std::map<std::string, torch::Tensor> expected(const std::string& file) {
  std::map<std::string, torch::Tensor> tensors;
  const auto path = std::filesystem::path(ATTNLAB_TESTS_DIR) / "experiments/training/data" / file;
  for (const auto& [name, tensor] : checkpoint::load_tensors(path).tensors) tensors[name] = tensor;
  return tensors;
}

SmoothedTarget by_name(const std::string& name, double mass, int64_t vocab) {
  return smoothed_target(smoothing_rule(name), mass, vocab, /*pad_id=*/0);
}

TEST_CASE("The hand case: V 5, pad 0, target 2, mass 0.4", "[loss]") {
  const torch::Tensor logits = torch::log(torch::tensor({{0.05, 0.2, 0.6, 0.1, 0.05}})).to(at::kFloat);
  const torch::Tensor labels = torch::tensor({int64_t{2}});
  CHECK(smoothed_cross_entropy(logits, labels, by_name("vocab", 0.4, 5)).item<double>() ==
        Approx(1.139640).margin(1e-6));
  CHECK(smoothed_cross_entropy(logits, labels, by_name("others_no_pad", 0.4, 5)).item<double>() ==
        Approx(1.227529).margin(1e-6));
  CHECK(smoothed_cross_entropy(logits, labels, by_name("vocab", 0.0, 5)).item<double>() ==
        Approx(-std::log(0.6)).margin(1e-6));
}

TEST_CASE("Loss and gradient of every rule agree with PyTorch", "[loss]") {
  const auto wanted = expected("loss.safetensors");
  const int64_t vocab = wanted.at("logits").size(1);
  for (const std::string name : {"none", "vocab", "others", "others_no_pad"}) {
    INFO(name);
    const SmoothedTarget smoothed = name == "none" ? by_name("vocab", 0, vocab) : by_name(name, 0.1, vocab);
    const double loss = wanted.at("loss." + name).item<double>();
    const torch::Tensor gradient = wanted.at("gradient." + name);

    const torch::Tensor leaf = wanted.at("logits").clone().requires_grad_();
    const torch::Tensor sum = smoothed_cross_entropy(leaf * 1.0, wanted.at("labels"), smoothed);
    CHECK(sum.item<double>() == Approx(loss).epsilon(1e-6));
    (sum * 2).backward();
    CHECK(difference(leaf.grad() / 2, gradient) < 1e-6);

    const torch::Tensor exact = wanted.at("logits").to(at::kDouble).requires_grad_();
    smoothed_cross_entropy(exact, wanted.at("labels"), smoothed).backward();
    CHECK(difference(exact.grad(), gradient) < 1e-12);

    torch::NoGradGuard no_grad;
    const torch::Tensor kept = wanted.at("logits").clone();
    CHECK(smoothed_cross_entropy(kept, wanted.at("labels"), smoothed).item<double>() == Approx(loss).epsilon(1e-6));
    CHECK(torch::equal(kept, wanted.at("logits")));
  }
}

TEST_CASE("bfloat16 logits are summed in float32", "[loss]") {
  const auto wanted = expected("loss.safetensors");
  const SmoothedTarget smoothed = by_name("vocab", 0.1, wanted.at("logits").size(1));
  const torch::Tensor rounded = wanted.at("logits").to(at::kBFloat16);
  const torch::Tensor reference = rounded.to(at::kDouble).requires_grad_();
  const torch::Tensor exact = smoothed_cross_entropy(reference, wanted.at("labels"), smoothed);
  exact.backward();
  const torch::Tensor leaf = rounded.clone().requires_grad_();
  const torch::Tensor sum = smoothed_cross_entropy(leaf * 1.0, wanted.at("labels"), smoothed);
  CHECK(sum.scalar_type() == at::kFloat);
  CHECK(sum.item<double>() == Approx(exact.item<double>()).epsilon(1e-6));
  sum.backward();
  CHECK(difference(leaf.grad(), reference.grad()) < 0.004);
}

TEST_CASE("The projection taken in blocks equals projection and loss", "[loss]") {
  torch::manual_seed(1);
  const int64_t rows = 300, width = 8, vocab = 100000;  // three blocks, the last one short
  const torch::Tensor states = torch::randn({rows, width}), weight = torch::randn({vocab, width}) * 0.3;
  const torch::Tensor labels = torch::randint(1, vocab, {rows}, at::kLong);
  const SmoothedTarget smoothed = by_name("vocab", 0.1, vocab);

  const auto x = states.clone().requires_grad_(), w = weight.clone().requires_grad_();
  const torch::Tensor whole = smoothed_cross_entropy(torch::matmul(x, w.t()), labels, smoothed);
  whole.backward();
  const auto x_blocks = states.clone().requires_grad_(), w_blocks = weight.clone().requires_grad_();
  const torch::Tensor blocks = projected_cross_entropy(x_blocks, w_blocks, labels, smoothed);
  blocks.backward();
  CHECK(blocks.item<double>() == Approx(whole.item<double>()).epsilon(1e-6));
  CHECK(difference(x.grad(), x_blocks.grad()) < 1e-5);
  CHECK(difference(w.grad(), w_blocks.grad()) < 1e-5);
}

TEST_CASE("Extreme logits stay finite, broken ones do not pass for good", "[loss]") {
  const torch::Tensor labels = torch::tensor({int64_t{1}});
  const SmoothedTarget plain = by_name("vocab", 0, 40);
  torch::Tensor extreme = torch::full({1, 40}, -1e30F);
  extreme[0][1] = 1e30F;
  CHECK(smoothed_cross_entropy(extreme, labels, plain).item<double>() == Approx(0).margin(1e-6));
  for (const float broken : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const int64_t place : {int64_t{0}, int64_t{1}, int64_t{39}}) {
      torch::Tensor logits = torch::zeros({1, 40});
      logits[0][place] = broken;
      CHECK_FALSE(std::isfinite(smoothed_cross_entropy(logits, labels, plain).item<double>()));
    }
  }
  CHECK(smoothed_cross_entropy(torch::zeros({0, 40}), torch::zeros({0}, at::kLong), plain).item<double>() == 0);
}

TEST_CASE("An unknown rule is refused by its key", "[loss]") {
  CHECK_THROWS_AS(smoothing_rule("all"), Error);
}

}  // namespace
}  // namespace attnlab::training
