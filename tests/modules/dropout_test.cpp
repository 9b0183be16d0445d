// Dropout: its statistics, its mask, and that backward draws the same mask.

#include "modules/dropout.h"

#include <stdexcept>

#include "modules/cpu/drop.h"
#include "modules/philox.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

Tensor dropped(const Tensor& x, double rate, DropoutKey key = {3, 1, 0, 0}) {
  DropoutStream stream(key.seed, key.step, key.micro_batch);
  for (uint32_t place = 0; place < key.place; ++place) {
    stream.next();
  }
  return dropout(x, rate, &stream);
}

}  // namespace

TEST_CASE("Philox gives the published numbers") {
  // Known answers of the Random123 library for philox4x32, 10 and 7 rounds, with all bits clear and all bits set.
  CHECK(philox<10>({0, 0, 0, 0}, {0, 0}) == PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const uint32_t ones = 0xffffffff;
  CHECK(philox<10>({ones, ones, ones, ones}, {ones, ones}) ==
        PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox<7>({0, 0, 0, 0}, {0, 0}) == PhiloxBlock{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48});
}

TEST_CASE("The vectorised mask is that of the plain generator") {
  const int64_t count = 1000;
  const double rate = 0.3;
  const auto mask = dropped(torch::ones({count}, torch::kFloat64), rate, {42, 7, 2, 5});
  const auto key = philox_key(scatter(scatter(42) ^ 7));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t group = i / 64, word = i % 64 / 16, lane = i % 16;
    const auto block = philox<7>({static_cast<uint32_t>(group * 16 + lane), 0, 5, 2}, key);
    const bool kept = block[static_cast<size_t>(word)] * 0x1p-32 >= rate;
    REQUIRE(mask[i].item<double>() == (kept ? 1 / (1 - rate) : 0.0));
  }
}

TEST_CASE("The rate is kept, and the mean with it") {
  const auto x = torch::ones({1000, 1000});
  for (const double rate : {0.05, 0.1, 0.5, 0.9}) {
    const auto y = dropped(x, rate);
    // 4.5 standard deviations of the share of 10^6 independent elements
    CHECK(std::abs(y.eq(0).to(torch::kFloat64).mean().item<double>() - rate) < 4.5e-3 * std::sqrt(rate * (1 - rate)));
    CHECK(std::abs(y.to(torch::kFloat64).mean().item<double>() - 1) < 4.5e-3 * std::sqrt(rate / (1 - rate)));
    CHECK(y.max().item<float>() == Approx(1 / (1 - rate)));
  }
}

TEST_CASE("Rate 0 and no stream return x itself") {
  const auto x = scattered({5});
  CHECK(dropped(x, 0).is_same(x));
  CHECK(dropout(x, 0.5, nullptr).is_same(x));
  CHECK_THROWS_AS(dropout(x, 1.0, nullptr), std::invalid_argument);
  CHECK_THROWS_AS(dropout(x, -0.1, nullptr), std::invalid_argument);
}

TEST_CASE("Every part of the key changes the mask; equal keys give equal masks") {
  const auto x = torch::ones({4096});
  const auto mask = dropped(x, 0.5, {1, 1, 0, 0});
  CHECK(mask.equal(dropped(x, 0.5, {1, 1, 0, 0})));
  for (const DropoutKey& other :
       {DropoutKey{2, 1, 0, 0}, {1, 2, 0, 0}, {1, 1, 1, 0}, {1, 1, 0, 1}, {0, 0, 0, 0}, {1ULL << 63U, 1, 0, 0}}) {
    const double same = mask.eq(dropped(x, 0.5, other)).to(torch::kFloat64).mean().item<double>();
    CHECK(std::abs(same - 0.5) < 0.04);  // unrelated masks agree in half of the places
  }
}

TEST_CASE("The mask does not depend on the number of threads") {
  const auto x = torch::ones({300, 1001});
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = dropped(x, 0.3);
  at::set_num_threads(2);
  const auto two = dropped(x, 0.3);
  at::set_num_threads(threads);
  CHECK(one.equal(two));
}

TEST_CASE("A part of a batch drops what it would drop in the whole") {
  for (const int64_t width : {5, 64, 130}) {
    const auto x = scattered({40, width}, 0.2, torch::kFloat32);
    const auto whole = dropped(x, 0.3);
    DropoutStream stream(3, 1, 0);
    stream.begin_at_row(17);
    const auto part = x.narrow(0, 17, 20);
    CHECK(dropout(part, 0.3, &stream).equal(whole.narrow(0, 17, 20)));
    DropoutStream of_relu(3, 1, 0);
    of_relu.begin_at_row(17);
    CHECK(relu_dropout(part, 0.3, &of_relu).equal(dropped(torch::relu(x), 0.3).narrow(0, 17, 20)));
  }
}

TEST_CASE("Backward draws the mask of forward") {
  for (const auto dtype : {torch::kFloat32, torch::kFloat64, torch::kBFloat16}) {
    const auto x = torch::full({33, 65}, 2, dtype).requires_grad_();
    const auto y = dropped(x, 0.4);
    CHECK(y.dtype() == dtype);
    y.sum().backward();
    CHECK(x.grad().eq(0).equal(y.eq(0)));
    CHECK(difference(x.grad() * 2, y) < 1e-6);
  }
}

TEST_CASE("add_dropout is the sum with what dropout gives") {
  const auto residual = scattered({7, 33}, 0.2, torch::kFloat32).requires_grad_();
  for (const auto dtype : {torch::kFloat32, torch::kBFloat16}) {
    const auto x = scattered({7, 33}, 0.9, dtype).requires_grad_();
    DropoutStream stream(3, 1, 0);
    const auto sum = add_dropout(residual, x, 0.4, &stream);
    CHECK(sum.dtype() == torch::kFloat32);
    CHECK(difference(sum, residual + dropped(x.to(torch::kFloat32), 0.4)) < 1e-6);
    const auto gradients = torch::autograd::grad({sum.sum()}, {residual, x});
    CHECK(gradients[0].equal(torch::ones_like(residual)));
    CHECK(gradients[1].dtype() == dtype);
    CHECK(gradients[1].eq(0).equal(dropped(torch::ones_like(x), 0.4).eq(0)));
  }
}

TEST_CASE("Strided and expanded tensors are dropped by their logical order") {
  const auto x = scattered({6, 40}, 0.3, torch::kFloat32);
  CHECK(dropped(x.t(), 0.5).equal(dropped(x.t().contiguous(), 0.5)));
  const auto y = torch::ones({40}).requires_grad_();
  dropped(y, 0.5).sum().backward();  // the gradient that comes is expanded from one number
  CHECK(y.grad().equal(dropped(torch::ones({40}), 0.5)));
}

TEST_CASE("The gradient of a gradient works") {
  const auto x = scattered({3, 5}).requires_grad_();
  const auto y = dropped(x * x, 0.3);
  const auto first = torch::autograd::grad({y.sum()}, {x}, {}, true, /*create_graph=*/true)[0];
  const auto second = torch::autograd::grad({first.sum()}, {x})[0];
  CHECK(difference(second, 2 * dropped(torch::ones_like(x), 0.3)) < 1e-12);
}

TEST_CASE("relu_dropout is dropout of relu, values and gradients") {
  for (const auto dtype : {torch::kFloat32, torch::kFloat64, torch::kBFloat16}) {
    for (const double rate : {0.0, 0.4}) {
      const auto x = scattered({7, 5, 33}, 0.9, dtype).requires_grad_();
      const auto r = scattered({7, 5, 33}, 0.1, dtype);
      DropoutStream stream(3, 1, 0), same(3, 1, 0);
      const auto one = relu_dropout(x, rate, &stream), two = dropout(torch::relu(x), rate, &same);
      CHECK(one.equal(two));
      CHECK(stream.next().place == same.next().place);
      CHECK(torch::autograd::grad({(one * r).sum()}, {x})[0].equal(torch::autograd::grad({(two * r).sum()}, {x})[0]));
    }
  }
  const auto bad = torch::full({70}, NAN);
  DropoutStream stream(3, 1, 0);
  CHECK(relu_dropout(bad, 0.4, &stream).isnan().equal(dropped(torch::ones({70}), 0.4).ne(0)));
}
