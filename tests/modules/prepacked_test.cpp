#include "modules/prepacked.h"

#include "modules/cpu/panel_product.h"
#include "tests/support/catch.h"

using attnlab::modules::Prepacked;
using attnlab::modules::cpu::panel_width;

namespace {

void check_against_linear(const torch::Tensor& weight, const torch::Tensor& bias, Prepacked::Then then) {
  const Prepacked prepacked(weight, bias, then);
  for (const int64_t rows : {70, 13, 6, 1, 0}) {
    const auto x = torch::randn({rows, weight.size(1)});
    auto expected = torch::linear(x, weight, bias);
    if (then == Prepacked::Then::relu) {
      expected = expected.relu();
    }
    const auto y = prepacked.times(x);
    REQUIRE(y.sizes() == expected.sizes());
    CHECK(torch::allclose(y, expected, 1e-5, 1e-5));
    CHECK(prepacked.times(x.unsqueeze(1)).equal(y.unsqueeze(1)));
  }
}

}  // namespace

TEST_CASE("A prepacked matrix multiplies as the matrix itself, outside autograd and in it") {
  torch::manual_seed(1);
  for (const bool learns : {false, true}) {
    const at::AutoGradMode mode(learns);
    for (const int64_t columns : {1, 16, 37, 128, 200}) {
      for (const int64_t inner : {1, 24, 130}) {
        const auto weight = torch::randn({columns, inner}), bias = torch::randn({columns});
        for (const auto then : {Prepacked::Then::nothing, Prepacked::Then::relu}) {
          INFO(columns << " columns, inner " << inner);
          check_against_linear(weight, {}, then);
          check_against_linear(weight, bias, then);
        }
      }
    }
  }
}

TEST_CASE("A prepacked matrix takes any arrangement of rows, and other types than float32") {
  const torch::NoGradGuard no_grad;
  const auto weight = torch::randn({20, 12}), x = torch::randn({12, 9}).t();
  CHECK(torch::allclose(Prepacked(weight).times(x), torch::linear(x, weight), 1e-5, 1e-5));
  const auto exact = weight.to(torch::kFloat64), y = torch::randn({3, 12}, torch::kFloat64);
  CHECK(torch::equal(Prepacked(exact).times(y), torch::linear(y, exact)));
}

TEST_CASE("A row's product does not depend on the rows beside it") {
  const torch::NoGradGuard no_grad;
  const Prepacked prepacked(torch::randn({50, 40}));
  const auto x = torch::randn({19, 40}), y = prepacked.times(x);
  for (int64_t row = 0; row < x.size(0); ++row) {
    const auto alone = prepacked.times(x.narrow(0, row, 1));
    CHECK((panel_width() == 0 || alone.equal(y.narrow(0, row, 1))));
  }
}

TEST_CASE("NaN stays NaN behind ReLU") {
  const torch::NoGradGuard no_grad;
  const auto y = Prepacked(torch::ones({3, 2}), {}, Prepacked::Then::relu).times(torch::full({1, 2}, NAN));
  CHECK(y.isnan().all().item<bool>());
}
