#include "modules/arranged_linear.h"

#include "modules/cpu/panel_product.h"
#include "tests/support/catch.h"

using attnlab::modules::ArrangedLinear;
using attnlab::modules::cpu::panel_width;

namespace {

void check_against_linear(const torch::Tensor& weight, const torch::Tensor& bias, ArrangedLinear::Then then) {
  const ArrangedLinear arranged(weight, bias, then);
  for (const int64_t rows : {70, 13, 6, 1, 0}) {
    const auto x = torch::randn({rows, weight.size(1)});
    auto expected = torch::linear(x, weight, bias);
    if (then == ArrangedLinear::Then::relu) {
      expected = expected.relu();
    }
    const auto y = arranged.times(x);
    REQUIRE(y.sizes() == expected.sizes());
    CHECK(torch::allclose(y, expected, 1e-5, 1e-5));
    CHECK(arranged.times(x.unsqueeze(1)).equal(y.unsqueeze(1)));
  }
}

}  // namespace

TEST_CASE("An arranged matrix multiplies as the matrix itself, outside autograd and in it") {
  torch::manual_seed(1);
  for (const bool learns : {false, true}) {
    const at::AutoGradMode mode(learns);
    for (const int64_t columns : {1, 16, 37, 128, 200}) {
      for (const int64_t inner : {1, 24, 130}) {
        const auto weight = torch::randn({columns, inner}), bias = torch::randn({columns});
        for (const auto then : {ArrangedLinear::Then::nothing, ArrangedLinear::Then::relu}) {
          INFO(columns << " columns, inner " << inner);
          check_against_linear(weight, {}, then);
          check_against_linear(weight, bias, then);
        }
      }
    }
  }
}

TEST_CASE("An arranged matrix takes any arrangement of rows, and other types than float32") {
  const torch::NoGradGuard no_grad;
  const auto weight = torch::randn({20, 12}), x = torch::randn({12, 9}).t();
  CHECK(torch::allclose(ArrangedLinear(weight).times(x), torch::linear(x, weight), 1e-5, 1e-5));
  const auto exact = weight.to(torch::kFloat64), y = torch::randn({3, 12}, torch::kFloat64);
  CHECK(torch::equal(ArrangedLinear(exact).times(y), torch::linear(y, exact)));
}

TEST_CASE("A row's product does not depend on the rows beside it") {
  if (panel_width() == 0) {
    WARN("skipped: this processor has no AVX2, and LibTorch promises nothing of the kind");
    return;
  }
  const torch::NoGradGuard no_grad;
  const ArrangedLinear arranged(torch::randn({50, 40}));
  const auto x = torch::randn({19, 40}), y = arranged.times(x);
  for (int64_t row = 0; row < x.size(0); ++row) {
    const auto alone = arranged.times(x.narrow(0, row, 1));
    CHECK(alone.equal(y.narrow(0, row, 1)));
  }
}

TEST_CASE("NaN stays NaN behind ReLU") {
  const torch::NoGradGuard no_grad;
  const auto y = ArrangedLinear(torch::ones({3, 2}), {}, ArrangedLinear::Then::relu).times(torch::full({1, 2}, NAN));
  CHECK(y.isnan().all().item<bool>());
}
