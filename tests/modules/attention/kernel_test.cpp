// The attention kernels against hand arithmetic, against each other, and on rows that see nothing.

#include "modules/attention/kernel.h"

#include <cmath>

#include "modules/attention/explicit_kernel.h"
#include "modules/attention/one_query.h"
#include "modules/attention/registry.h"
#include "modules/attention/weights.h"
#include "tests/modules/kernels.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

MultiHeadAttentionOptions any_attention() {
  return {8, 2};
}

Tensor leaf(std::vector<int64_t> shape, double phase) {
  return scattered(std::move(shape), phase).requires_grad_();
}

// The formula, number by number.
Tensor plain_loop(const Tensor& q, const Tensor& k, const Tensor& v,
                  const std::function<bool(int64_t, int64_t, int64_t)>& visible) {
  auto output = torch::zeros({q.size(0), q.size(1), q.size(2), v.size(3)}, torch::kFloat64);
  for (int64_t b = 0; b < q.size(0); ++b) {
    for (int64_t h = 0; h < q.size(1); ++h) {
      for (int64_t i = 0; i < q.size(2); ++i) {
        double total = 0;
        auto sum = torch::zeros(v.size(3), torch::kFloat64);
        for (int64_t j = 0; j < k.size(2); ++j) {
          if (visible(b, i, j)) {
            const double e =
                std::exp((q[b][h][i] * k[b][h][j]).sum().item<double>() / std::sqrt(static_cast<double>(q.size(3))));
            total += e;
            sum = sum + e * v[b][h][j];
          }
        }
        output[b][h][i] = total > 0 ? sum / total : sum;
      }
    }
  }
  return output;
}

}  // namespace

TEST_CASE("A causal mask hides the future: row 0 is [1, 0, 0]") {
  const auto q = torch::ones({1, 1, 3, 2}, torch::kFloat64), k = q.clone();
  const auto v = torch::tensor({1.0, 3.0, 5.0}, torch::kFloat64).view({1, 1, 3, 1});
  const auto attended = ExplicitKernel().forward(q, k, v, {Visible::past()});
  const auto weights =
      torch::tensor({1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 1.0 / 3, 1.0 / 3, 1.0 / 3}, torch::kFloat64).view({1, 1, 3, 3});
  CHECK(difference(attended.weights, weights) < 1e-15);
  CHECK(attended.weights[0][0][0][0].item<double>() == 1.0);
  CHECK(attended.weights[0][0][0][1].item<double>() == 0.0);
  const auto output = torch::tensor({1.0, 2.0, 3.0}, torch::kFloat64).view({1, 1, 3, 1});
  for (const auto& kernel : exact_kernels()) {
    INFO(kernel);
    const auto made = find_attention(kernel)->make(any_attention());
    CHECK(difference(made->forward(q, k, v, {Visible::past()}).output, output) < 1e-15);
  }
}

TEST_CASE("Every kernel agrees with a plain loop, for every mask and with d_k unlike d_v") {
  const auto lengths = torch::tensor({3, 5});
  for (const auto& name : exact_kernels()) {
    for (const int64_t d_v : {3, 4}) {
      INFO(name << ", d_v " << d_v);
      const auto kernel = find_attention(name)->make(any_attention());
      const auto q = leaf({2, 2, 5, 3}, 0.1), k = leaf({2, 2, 5, 3}, 0.2), v = leaf({2, 2, 5, d_v}, 0.3);
      const auto everything = kernel->forward(q, k, v, {Visible::everything()}).output;
      CHECK(difference(everything, plain_loop(q, k, v, [](auto, auto, auto) { return true; })) < 1e-12);
      const auto tokens = kernel->forward(q, k, v, {Visible::tokens(valid_positions(lengths, 5, torch::kCPU))}).output;
      CHECK(difference(tokens, plain_loop(q, k, v, [](auto b, auto, auto j) { return j < (b == 0 ? 3 : 5); })) < 1e-12);
      const auto past = kernel->forward(q, k, v, {Visible::past()}).output;
      CHECK(difference(past, plain_loop(q, k, v, [](auto, auto i, auto j) { return j <= i; })) < 1e-12);
      // Fewer queries than keys: the last query sees all of them.
      const auto last = kernel->forward(q.narrow(2, 3, 2), k, v, {Visible::past()}).output;
      CHECK(difference(last, past.narrow(2, 3, 2)) < 1e-12);
    }
  }
}

TEST_CASE("A query that may see nothing gets zeros, and everything stays finite") {
  const auto lengths = torch::tensor({0, 3});
  for (const auto dtype : {torch::kFloat64, torch::kFloat32, torch::kBFloat16}) {
    for (const auto& variant : attention_variants()) {
      for (const int64_t d_v : {4, 3}) {
        INFO(variant.name << ", " << torch::toString(dtype) << ", d_v " << d_v);
        const auto make = [&](int64_t width, double phase) {
          return scattered({2, 2, 3, width}, phase, dtype).requires_grad_();
        };
        const auto q = make(4, 0.1), k = make(4, 0.2), v = make(d_v, 0.3);
        const auto attended = variant.make(any_attention())
                                  ->forward(q, k, v,
                                            {Visible::tokens(valid_positions(lengths, 3, torch::kCPU)),
                                             {},
                                             0,
                                             nullptr,
                                             /*weights=*/variant.traits.weights});
        CHECK(attended.output[0].abs().max().item<double>() == 0);
        CHECK(attended.output[1].abs().min().item<double>() > 0);
        if (variant.traits.weights) {
          CHECK(attended.weights[0].abs().max().item<double>() == 0);
          CHECK(difference(attended.weights[1].sum(-1), torch::ones({2, 3})) < 1e-2);
        }
        for (const auto& gradient : torch::autograd::grad({attended.output.sum()}, {q, k, v})) {
          CHECK(all_finite(gradient));
          CHECK(gradient[0].abs().max().item<double>() == 0);
        }
      }
    }
  }
}

TEST_CASE("The gradient of every kernel agrees with differences") {
  const auto q = leaf({2, 1, 3, 2}, 0.1), k = leaf({2, 1, 3, 2}, 0.2), v = leaf({2, 1, 3, 2}, 0.3);
  const auto valid = valid_positions(torch::tensor({2, 3}), 3, torch::kCPU);
  for (const auto& variant : attention_variants()) {
    INFO(variant.name);
    const auto kernel = variant.make(any_attention());
    std::vector<Visible> masks = {Visible::everything(), Visible::tokens(valid)};
    if (variant.traits.causal) {
      masks.push_back(Visible::past());
    }
    for (const auto& visible : masks) {
      check_by_differences([&] { return kernel->forward(q, k, v, {visible}).output; }, {q, k, v});
    }
  }
  SECTION("with dropout and a bias") {
    const auto bias = leaf({1, 1, 3, 3}, 0.4);
    const auto dropped = [&] {
      DropoutStream stream(1, 2, 3);
      return ExplicitKernel().forward(q, k, v, {Visible::past(), bias, 0.4, &stream}).output;
    };
    check_by_differences(dropped, {q, k, v, bias});
  }
}

TEST_CASE("A bias is added to the scaled scores") {
  const auto q = torch::zeros({1, 1, 1, 2}), k = torch::zeros({1, 1, 2, 2}),
             v = torch::tensor({0.0F, 1.0F}).view({1, 1, 2, 1});
  const auto bias = torch::tensor({0.0F, std::log(3.0F)}).view({1, 1, 1, 2});
  for (const auto& variant : attention_variants()) {
    if (variant.traits.bias) {
      INFO(variant.name);
      CHECK(variant.make(any_attention())->forward(q, k, v, {Visible::everything(), bias}).output.item<float>() ==
            Approx(0.75));
    }
  }
}

TEST_CASE("Every kernel that takes a bias agrees with the explicit one, under every mask and in every shape of bias") {
  const auto q = leaf({2, 2, 5, 3}, 0.1), k = leaf({2, 2, 5, 3}, 0.2), v = leaf({2, 2, 5, 3}, 0.3);
  const auto valid = valid_positions(torch::tensor({0, 4}), 5, torch::kCPU);
  for (const auto& variant : attention_variants()) {
    if (!variant.traits.bias) {
      continue;
    }
    for (const auto& visible : {Visible::everything(), Visible::tokens(valid), Visible::past()}) {
      for (const auto& shape : std::vector<std::vector<int64_t>>{{5}, {2, 5, 5}, {2, 1, 1, 5}, {2, 2, 5, 5}}) {
        for (const bool learned : {false, true}) {
          INFO(variant.name << ", " << torch::IntArrayRef(shape) << ", learned " << learned);
          const auto bias = scattered(shape, 0.4).requires_grad_(learned);
          const auto output = variant.make(any_attention())->forward(q, k, v, {visible, bias}).output;
          const auto expected_output = ExplicitKernel().forward(q, k, v, {visible, bias}).output;
          CHECK(difference(output, expected_output) < 1e-13);
          const std::vector<Tensor> read = learned ? std::vector{q, k, v, bias} : std::vector{q, k, v};
          const auto r = scattered({2, 2, 5, 3}, 0.8);
          const auto ours = torch::autograd::grad({(output * r).sum()}, read);
          const auto theirs = torch::autograd::grad({(expected_output * r).sum()}, read);
          for (size_t i = 0; i < read.size(); ++i) {
            CHECK(difference(ours[i], theirs[i]) < 1e-12);
          }
        }
      }
    }
  }
}

TEST_CASE("No mask is made where everything may be seen") {
  CHECK_FALSE(valid_positions(torch::tensor({4, 4}), 4, torch::kCPU).defined());
  CHECK_FALSE(Visible::tokens({}).mask(3, 4, torch::kCPU).defined());
  CHECK_FALSE(Visible::past().mask(1, 4, torch::kCPU).defined());
  CHECK(Visible::past()
            .mask(2, 4, torch::kCPU)
            .equal(torch::tensor({true, true, true, false, true, true, true, true}).view({1, 1, 2, 4})));
  CHECK(valid_positions(torch::tensor({2, 0}), 3, torch::kCPU)
            .equal(torch::tensor({true, true, false, false, false, false}).view({2, 3})));
}

TEST_CASE("The one operation for mask, softmax and dropout agrees with LibTorch's operations, values and gradients") {
  const auto valid = valid_positions(torch::tensor({0, 21, 5}), 21, torch::kCPU);
  for (const auto dtype : {torch::kFloat32, torch::kFloat64}) {
    for (const auto& visible : {Visible::everything(), Visible::tokens(valid), Visible::past()}) {
      for (const double rate : {0.0, 0.3}) {
        const double tolerance = dtype == torch::kFloat64 ? 1e-13 : 1e-6;
        const auto scores = (scattered({3, 2, 19, 21}, 0.4, dtype) * 30).requires_grad_();
        const auto r = scattered({3, 2, 19, 21}, 0.8, dtype);
        const auto run = [&](auto function) {
          DropoutStream stream(1, 2, 3);
          return function(scores, 0.25, AttentionCall{visible, {}, rate, &stream});
        };
        const auto one = run(attention_weights), plain = run(attention_weights_plain);
        CHECK(difference(one.weights, plain.weights) < tolerance);
        CHECK(difference(one.applied, plain.applied) < tolerance);
        const auto gradient = [&](const AttentionWeights& x) {
          return torch::autograd::grad({(x.applied * r).sum() + (x.weights * r * r).sum()}, {scores}, {},
                                       /*retain_graph=*/true)[0];
        };
        CHECK(difference(gradient(one), gradient(plain)) < tolerance);
        // Only one of the two results is used.
        const auto of_weights = [&](const AttentionWeights& x) {
          return torch::autograd::grad({(x.weights * r).sum()}, {scores}, {}, /*retain_graph=*/true)[0];
        };
        CHECK(difference(of_weights(one), of_weights(plain)) < tolerance);
      }
    }
  }
}

TEST_CASE("A score that is not a number is not hidden") {
  auto scores = torch::zeros({1, 1, 2, 20});
  scores[0][0][1][18] = NAN;
  const auto weights = attention_weights(scores, 1.0, {Visible::everything()}).weights;
  CHECK(weights[0][0][0].isfinite().all().item<bool>());
  CHECK(weights[0][0][1].isnan().all().item<bool>());
}

TEST_CASE("One query on a cache agrees with the explicit kernel") {
  const torch::NoGradGuard no_grad;
  for (const int64_t width : {3, 16, 32, 40, 64}) {
    for (const int64_t value_width : {width, width + 1}) {
      for (const int64_t keys : {1, 5, 70}) {
        INFO("width " << width << " and " << value_width << ", keys " << keys);
        // Columns of something wider, as a cache holds the memory's; rows share some places.
        const auto held = scattered({keys + 9, 2 * (width + value_width) + 1}, 0.3, torch::kFloat32);
        KeyPool pool{held.narrow(1, 1, 2 * width), held.narrow(1, 2 * width + 1, 2 * value_width), keys + 9, {}};
        pool.places = (torch::arange(3 * keys).view({3, keys}) * 7).remainder(keys + 9);
        const auto k = pool.keys_of_rows(2), v = pool.values_of_rows(2);
        const auto q = scattered({3, 2, 1, width}, 0.1, torch::kFloat32) * 3;
        const auto lengths = torch::tensor({keys, int64_t{0}, (keys + 1) / 2});
        for (const auto& visible :
             {Visible::everything(), Visible::past(), Visible::tokens(valid_positions(lengths, keys, torch::kCPU))}) {
          const AttentionCall call{visible};
          REQUIRE(is_one_query(q, pool, call));
          CHECK(difference(attend_one_query(q, pool, call), ExplicitKernel().forward(q, k, v, call).output) < 2e-6);
        }
      }
    }
  }
}

TEST_CASE("More than one query, a bias, dropout or another type is not for one query") {
  const torch::NoGradGuard no_grad;
  const auto q = torch::ones({1, 1, 1, 4}), k = torch::ones({3, 4}), places = torch::arange(3).view({1, 3});
  const KeyPool pool{k, k, 3, places}, exact{k.to(torch::kFloat64), k.to(torch::kFloat64), 3, places};
  DropoutStream stream(1, 1, 0);
  CHECK(is_one_query(q, pool, {Visible::past()}));
  CHECK_FALSE(is_one_query(torch::ones({1, 1, 3, 4}), pool, {Visible::past()}));
  CHECK_FALSE(is_one_query(q, pool, {Visible::past(), torch::zeros({1, 1, 1, 3})}));
  CHECK_FALSE(is_one_query(q, pool, {Visible::past(), {}, 0.1, &stream}));
  CHECK_FALSE(is_one_query(q.to(torch::kFloat64), exact, {Visible::past()}));
}
