#include "experiments/results/statistics.h"

#include <string>

#include "support/json.h"
#include "tests/support/catch.h"

namespace attnlab::results {
namespace {

/// Made by tests/oracles/results/student_t.py.
Json oracle() {
  return read_json(ATTNLAB_TESTS_DIR "/experiments/results/data/student_t.json", "oracle");
}

TEST_CASE("Mean and standard deviation of a hand-made case", "[results]") {
  CHECK(mean({2, 4, 9}) == 5);
  CHECK(*sample_sd({2, 4, 9}) == Approx(3.605551275463989).epsilon(1e-14));  // sqrt((9 + 1 + 16) / 2)
  CHECK_FALSE(sample_sd({7}).has_value());
}

TEST_CASE("The incomplete beta function agrees with mpmath", "[results]") {
  for (const auto& item : Json(oracle()["beta"])) {
    INFO(item.dump());
    CHECK(incomplete_beta(item["a"], item["b"], item["x"]) == Approx(item["value"].get<double>()).epsilon(1e-11));
  }
  CHECK(incomplete_beta(2, 3, 0) == 0);
  CHECK(incomplete_beta(2, 3, 1) == 1);
}

TEST_CASE("Student's t agrees with mpmath", "[results]") {
  for (const auto& item : Json(oracle()["cdf"])) {
    INFO(item.dump());
    CHECK(student_t_cdf(item["t"], item["df"]) == Approx(item["value"].get<double>()).epsilon(1e-11));
  }
  for (const auto& item : Json(oracle()["quantile"])) {
    INFO(item.dump());
    CHECK(student_t_quantile(item["p"], item["df"]) == Approx(item["value"].get<double>()).epsilon(1e-10));
    const double p = item["p"];
    CHECK(student_t_quantile(1 - p, item["df"]) == Approx(-item["value"].get<double>()).epsilon(1e-10));
  }
}

TEST_CASE("The paired t test agrees with mpmath", "[results]") {
  for (const auto& item : Json(oracle()["paired"])) {
    INFO(item.dump());
    const auto result = paired_difference(item["differences"].get<std::vector<double>>());
    CHECK(result.n == static_cast<int>(item["differences"].size()));
    CHECK(result.mean == Approx(item["mean"].get<double>()).epsilon(1e-12));
    CHECK(*result.low == Approx(item["low"].get<double>()).epsilon(1e-10));
    CHECK(*result.high == Approx(item["high"].get<double>()).epsilon(1e-10));
    CHECK(*result.p == Approx(item["p"].get<double>()).epsilon(1e-10));
  }
}

TEST_CASE("One pair says nothing about chance, equal pairs have no width", "[results]") {
  const auto one = paired_difference({1.5});
  CHECK(one.mean == 1.5);
  CHECK_FALSE(one.low.has_value());
  CHECK_FALSE(one.p.has_value());
  CHECK(*paired_difference({0, 0, 0}).p == 1);
  CHECK(*paired_difference({2, 2, 2}).p == 0);
  CHECK(*paired_difference({2, 2, 2}).low == 2);
}

TEST_CASE("The bootstrap interval is NumPy's, from five values on", "[results]") {
  for (const auto& item :
       Json(read_json(ATTNLAB_TESTS_DIR "/experiments/results/data/effects.json", "oracle")["bootstrap"])) {
    INFO(item.dump());
    const auto interval = bootstrap_interval(item["values"].get<std::vector<double>>());
    CHECK(interval->low == Approx(item["low"].get<double>()).epsilon(1e-12));
    CHECK(interval->high == Approx(item["high"].get<double>()).epsilon(1e-12));
  }
  CHECK_FALSE(bootstrap_interval({1, 2, 3, 4}).has_value());
  CHECK(bootstrap_interval({2, 2, 2, 2, 2})->low == 2);
}

TEST_CASE("Holm's correction of a hand-made case", "[results]") {
  // 0.01 * 4, 0.015 * 3 = 0.045, 0.03 * 2 = 0.06, 0.04 * 1 rises to 0.06.
  const auto adjusted = holm({0.04, 0.01, 0.03, 0.015});
  CHECK(adjusted[0] == Approx(0.06));
  CHECK(adjusted[1] == Approx(0.04));
  CHECK(adjusted[2] == Approx(0.06));
  CHECK(adjusted[3] == Approx(0.045));
  CHECK(holm({0.7, 0.9})[0] == 1);
  CHECK(holm({}).empty());
}

}  // namespace
}  // namespace attnlab::results
