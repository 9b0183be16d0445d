// Every formula on matrices that the eye can check.

#include "experiments/inspection/analyses/rows.h"

#include <cmath>

#include "experiments/inspection/analyses/rollout.h"
#include "tests/support/catch.h"

namespace attnlab::inspection {
namespace {

double at(const torch::Tensor& values, int64_t row) {
  return values[row].item<double>();
}

TEST_CASE("Entropy is 0 for one key, ln n for a uniform row, and 0 ln 0 counts as 0") {
  const auto weights =
      torch::tensor({{1.0, 0.0, 0.0, 0.0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0.5, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}});
  const auto entropy = row_entropy(weights);
  CHECK(at(entropy, 0) == 0);
  CHECK(at(entropy, 1) == Approx(std::log(4.0)));
  CHECK(at(entropy, 2) == Approx(std::log(2.0)));
  CHECK(at(entropy, 3) == 0);
}

TEST_CASE("Relative entropy divides by what the row may see; one key gives no number") {
  const auto weights = torch::tensor({{1.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.5, 0.0}});
  const auto relative = row_relative_entropy(weights, visible_keys(3, 3, Sight::past));
  CHECK(std::isnan(at(relative, 0)));
  CHECK(at(relative, 1) == Approx(1.0));
  CHECK(at(relative, 2) == Approx(std::log(2.0) / std::log(3.0)));
  CHECK(at(row_relative_entropy(weights, visible_keys(3, 3, Sight::everything)), 1) ==
        Approx(std::log(2.0) / std::log(3.0)));
}

TEST_CASE("Distance is the mean of |q - k| under the row") {
  const auto distance = row_distance(torch::tensor({{0.5, 0.0, 0.5}, {0.0, 1.0, 0.0}, {0.5, 0.25, 0.25}}));
  CHECK(at(distance, 0) == Approx(1.0));
  CHECK(at(distance, 1) == Approx(0.0));
  CHECK(at(distance, 2) == Approx(1.25));
}

TEST_CASE("The maximum leaves the end mark out, the share takes only what is asked for") {
  const auto weights = torch::tensor({{0.1, 0.2, 0.7}, {0.6, 0.1, 0.3}});
  const auto end = torch::tensor({false, false, true});
  CHECK(at(row_maximum(weights, end), 0) == Approx(0.2));
  CHECK(at(row_maximum(weights, end), 1) == Approx(0.6));
  CHECK(at(row_share(weights, end), 0) == Approx(0.7));
  CHECK(row_peak(weights)[0].item<int64_t>() == 2);
  CHECK(row_peak(torch::tensor({{0.4, 0.4, 0.2}}))[0].item<int64_t>() == 0);
}

TEST_CASE("Jensen-Shannon distance: 0 for equal heads, 1 for heads that share no key") {
  const auto left = torch::tensor({{1.0, 0.0}, {1.0, 0.0}}), right = torch::tensor({{0.0, 1.0}, {0.0, 1.0}});
  const auto half = torch::tensor({{0.5, 0.5}, {0.5, 0.5}});
  const auto distance = jensen_shannon(torch::stack({left, right, half}));
  CHECK(distance[0][0].item<double>() == Approx(0.0).margin(1e-12));
  CHECK(distance[0][1].item<double>() == Approx(1.0));
  // m = (3/4, 1/4): H(m) = 0.811278 bits, minus half of 1 bit: 0.311278.
  CHECK(distance[0][2].item<double>() == Approx(std::sqrt(0.3112781244591328)));
  CHECK(torch::allclose(distance, distance.t()));
}

TEST_CASE("Jensen-Shannon distances do not depend on how many weights are looked at once") {
  torch::manual_seed(3);
  const auto weights = torch::rand({4, 7, 5}).softmax(-1);
  const auto whole = jensen_shannon(weights);
  for (const int64_t most : {1, 40, 60}) CHECK(torch::allclose(jensen_shannon(weights, most), whole));
}

TEST_CASE("Rollout multiplies (W + I) / 2 upwards") {
  // Mean over two heads of layer 0: [[1, 0], [1, 0]]; layer 1: [[0.5, 0.5], [0, 1]].
  const auto first = torch::tensor({{{1.0, 0.0}, {1.0, 0.0}}, {{1.0, 0.0}, {1.0, 0.0}}});
  const auto second = torch::tensor({{{0.0, 1.0}, {0.0, 1.0}}, {{1.0, 0.0}, {0.0, 1.0}}});
  const auto rollout = attention_rollout(head_means(torch::stack({first, second})));
  // A1 = [[1, 0], [.5, .5]]; A2 = [[.75, .25], [0, 1]]; A2 A1 = [[.875, .125], [.5, .5]].
  CHECK(torch::allclose(rollout[0], torch::tensor({{1.0, 0.0}, {0.5, 0.5}}, torch::kDouble)));
  CHECK(torch::allclose(rollout[1], torch::tensor({{0.875, 0.125}, {0.5, 0.5}}, torch::kDouble)));
  CHECK(torch::allclose(rollout.sum(-1), torch::ones({2, 2}, torch::kDouble)));
}

TEST_CASE("A row that may see nothing keeps its own identity in a rollout") {
  const auto rollout = attention_rollout(head_means(torch::tensor({{{{0.0, 0.0}, {0.0, 1.0}}}})));
  CHECK(torch::allclose(rollout[0], torch::eye(2, torch::kDouble)));
}

}  // namespace
}  // namespace attnlab::inspection
