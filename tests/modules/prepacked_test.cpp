#include "modules/prepacked.h"

#include "tests/support/catch.h"

using attnlab::modules::Prepacked;

TEST_CASE("A prepacked matrix multiplies as the matrix itself, for any number of rows and outside autograd and in it") {
  const torch::Tensor weight = torch::randn({37, 24});
  for (const bool learns : {false, true}) {
    const at::AutoGradMode mode(learns);
    const Prepacked prepacked(weight, /*rows=*/8);
    for (const int64_t rows : {8, 5, 1, 0}) {
      const torch::Tensor x = torch::randn({rows, 24});
      const torch::Tensor y = prepacked.times(x), expected = torch::linear(x, weight);
      REQUIRE(y.sizes() == expected.sizes());
      CHECK(torch::allclose(y, expected, 1e-5, 1e-5));
    }
  }
  const torch::Tensor exact = weight.to(torch::kFloat64), x = torch::randn({3, 24}, torch::kFloat64);
  CHECK(torch::equal(Prepacked(exact, 3).times(x), torch::linear(x, exact)));
}
