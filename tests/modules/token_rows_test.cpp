// A batch without its padding: places, the way back, gradients.

#include "modules/token_rows.h"

#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;

TEST_CASE("Tokens are taken row by row, and put back with zeros at padding") {
  const TokenRows rows(torch::tensor({2, 0, 3}), 3, torch::kCPU);
  CHECK(rows.batch() == 3);
  CHECK(rows.width() == 3);
  CHECK(rows.count() == 5);
  CHECK(rows.starts().equal(torch::tensor({0, 2, 2})));
  const auto ids = torch::arange(9).view({3, 3});
  CHECK(rows.gather(ids).equal(torch::tensor({0, 1, 6, 7, 8})));
  CHECK(rows.scatter(rows.gather(ids)).equal(torch::tensor({{0, 1, 0}, {0, 0, 0}, {6, 7, 8}})));
}

TEST_CASE("Without padding nothing is copied") {
  const TokenRows rows(torch::tensor({3, 3}), 3, torch::kCPU);
  const auto x = torch::rand({2, 3, 4});
  CHECK(rows.gather(x).data_ptr() == x.data_ptr());
  CHECK(rows.scatter(rows.gather(x)).equal(x));
}

TEST_CASE("Gradients go back to the tokens, and none to padding") {
  const TokenRows rows(torch::tensor({1, 2}), 2, torch::kCPU);
  const auto x = torch::rand({2, 2, 3}, torch::kFloat64).requires_grad_();
  const auto r = torch::rand({3, 3}, torch::kFloat64);
  const auto of_x = torch::autograd::grad({(rows.gather(x) * r).sum()}, {x})[0];
  CHECK(of_x.equal(rows.scatter(r)));
  const auto y = torch::rand({3, 3}, torch::kFloat64).requires_grad_();
  const auto s = torch::rand({2, 2, 3}, torch::kFloat64);
  CHECK(torch::autograd::grad({(rows.scatter(y) * s).sum()}, {y})[0].equal(rows.gather(s)));
}
