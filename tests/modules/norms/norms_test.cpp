// Norms and placements.

#include "modules/norms/norm.h"
#include "modules/norms/registry.h"
#include "modules/sublayer.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

TEST_CASE("LayerNorm by hand") {
  const auto norm = find_norm("layer_norm")->make({}, 4);
  // mean 2.5, variance 1.25
  const auto y = norm->forward(torch::tensor({1.0F, 2.0F, 3.0F, 4.0F}), {});
  const double deviation = std::sqrt(1.25 + 1e-5);
  CHECK(difference(y, torch::tensor({-1.5, -0.5, 0.5, 1.5}, torch::kFloat64) / deviation) < 1e-6);
}

TEST_CASE("The norm's epsilon is the one that is set") {
  NormOptions options;
  options.epsilon = 1.0;
  const auto y = find_norm("layer_norm")->make(options, 2)->forward(torch::tensor({-1.0F, 1.0F}), {});
  CHECK(difference(y, torch::tensor({-1.0, 1.0}, torch::kFloat64) / std::sqrt(2.0)) < 1e-6);
}

TEST_CASE("Every norm's gradients agree with differences") {
  for (const auto& variant : norm_variants()) {
    INFO(variant.name);
    const auto norm = variant.make({}, 5);
    norm->to(torch::kFloat64);
    scatter_parameters(*norm);
    const auto x = scattered({2, 3, 5}).requires_grad_();
    check_by_differences([&] { return norm->forward(x, {}); }, leaves(*norm, {x}));
  }
}

TEST_CASE("Placements put the parts in their order") {
  auto options = small_options();
  Context context;
  const auto x = scattered({1, 2, 8});
  const auto triple = [](const Tensor& y) { return y * 3; };
  const auto norm = [](const Tensor& y) { return torch::layer_norm(y, {8}); };
  const auto run = [&](const char* placement) {
    options.norm.placement = placement;
    AddNorm add_norm(options, Stack::encoder);
    add_norm->to(torch::kFloat64);
    return add_norm->forward(x, triple, {}, context);
  };
  CHECK(difference(run("post"), norm(x + 3 * x)) < 1e-12);
  CHECK(difference(run("pre"), x + 3 * norm(x)) < 1e-12);
}

TEST_CASE("The residual add's gradients agree with differences, with dropout") {
  for (const auto& placement : placement_variants()) {
    INFO(placement.name);
    auto options = small_options();
    options.norm.placement = placement.name;
    options.dropout.residual = 0.3;
    AddNorm add_norm(options, Stack::decoder);
    add_norm->to(torch::kFloat64);
    scatter_parameters(*add_norm);
    const auto x = scattered({1, 3, 8}).requires_grad_();
    const auto run = [&] {
      DropoutStream stream(1, 1, 0);
      Context context{&stream, nullptr, nullptr};
      return add_norm->forward(
          x, [](const Tensor& y) { return y.sin(); }, {}, context);
    };
    check_by_differences(run, leaves(*add_norm, {x}));
  }
}
