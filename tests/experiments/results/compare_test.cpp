#include "experiments/results/compare.h"

#include "support/error.h"
#include "tests/experiments/results/sweep_on_disk.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::results {
namespace {

using Kind = Comparison::Kind;

TEST_CASE("Cells gather the runs that differ only in the seed", "[results]") {
  SweepOnDisk sweep;
  fill_heads_and_norm(sweep);
  const auto results = collect(sweep.write());
  REQUIRE(results.cells.size() == 4);
  CHECK(results.factors == std::vector<std::string>{"model.heads", "model.norm.placement"});
  CHECK(results.cells[1].factors["model.norm.placement"] == "pre");
  CHECK(results.cells[1].runs.size() == 3);
  CHECK(values_by_seed(results.cells[1], "test.bleu") == std::map<int64_t, double>{{1, 80.0}, {2, 82.0}});
  CHECK(values_by_seed(results.cells[0], "minutes").at(1) == 1.5);
}

TEST_CASE("Runs of an older spec are not in the table", "[results]") {
  SweepOnDisk sweep;
  sweep.add({{"model.heads", 1}}, 1, {{"test.bleu", 50.0}});
  sweep.add({{"model.heads", 2}}, 1, {{"test.bleu", 60.0}});
  sweep.manifest.runs[0].current = false;
  CHECK(collect(sweep.write()).cells.size() == 1);
}

TEST_CASE("A difference compares runs that are equal in all else and in the seed", "[results]") {
  SweepOnDisk sweep;
  fill_heads_and_norm(sweep);
  const auto comparisons = compare_to_baseline(collect(sweep.write()), "test.bleu");
  REQUIRE(comparisons.size() == 4);
  CHECK(comparisons[2].kind == Kind::baseline);
  CHECK(comparisons[3].kind == Kind::baseline);

  // post: 90 - 92, 91 - 92.5, 92 - 95; mean -13/6, sd 0.763763, t(2) quantile 4.302653
  REQUIRE(comparisons[0].kind == Kind::delta);
  CHECK(comparisons[0].partner == 2);
  const auto& post = comparisons[0].difference;
  CHECK(post.n == 3);
  CHECK(post.mean == Approx(-13.0 / 6));
  CHECK(*post.low == Approx(-4.063961).epsilon(1e-6));
  CHECK(*post.high == Approx(-0.269373).epsilon(1e-5));
  CHECK(*post.p == Approx(0.0390114).epsilon(1e-4));  // 1 - t / sqrt(t^2 + 2)

  // pre: seed 3 has failed, so 80 - 85 and 82 - 86 remain; p = 1 - 2 / pi * atan(9)
  const auto& pre = comparisons[1].difference;
  CHECK(pre.n == 2);
  CHECK(pre.mean == Approx(-4.5));
  CHECK(*pre.p == Approx(0.0704466).epsilon(1e-5));
  CHECK(*comparisons[0].p_holm == Approx(2 * 0.0390114).epsilon(1e-4));
  CHECK(*comparisons[1].p_holm == Approx(2 * 0.0390114).epsilon(1e-4));  // not below the smaller one's
}

TEST_CASE("From five seeds on a difference has a bootstrap interval too", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.baseline = {{"heads", 4}};
  const std::vector<double> differences = {-0.31, 0.05, 0.4, -0.22, 0.18};  // of tests/oracles/results/effects.py
  for (size_t i = 0; i < differences.size(); ++i) {
    sweep.add({{"heads", 4}}, static_cast<int64_t>(i), {{"test.bleu", 50.0}});
    sweep.add({{"heads", 1}}, static_cast<int64_t>(i), {{"test.bleu", 50.0 + differences[i]}});
  }
  const auto comparison = compare_to_baseline(collect(sweep.write()), "test.bleu")[1];
  REQUIRE(comparison.bootstrap.has_value());
  const auto expected = bootstrap_interval(differences);
  CHECK(comparison.bootstrap->low == Approx(expected->low).margin(1e-9));
  CHECK(comparison.bootstrap->high == Approx(expected->high).margin(1e-9));
}

TEST_CASE("No partner, no difference", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.baseline = {{"model.heads", 4}};
  sweep.add({{"model.heads", 4}, {"positions", "learned"}}, 1, {{"test.bleu", 50.0}});
  sweep.add({{"model.heads", 1}, {"positions", "learned"}}, 2, {{"test.bleu", 40.0}});
  sweep.add({{"model.heads", 1}, {"positions", "none"}}, 1, {{"test.bleu", 30.0}});
  const auto comparisons = compare_to_baseline(collect(sweep.write()), "test.bleu");
  CHECK(comparisons[0].kind == Kind::baseline);
  CHECK(comparisons[1].kind == Kind::none);  // no seed in common
  CHECK(comparisons[2].kind == Kind::none);  // no cell with 4 heads and without positions
}

TEST_CASE("Without a baseline there is no comparison at all", "[results]") {
  SweepOnDisk sweep;
  sweep.add({{"model.heads", 4}}, 1, {{"test.bleu", 50.0}});
  SECTION("none given") {}
  SECTION("one that fixes no factor") {
    sweep.manifest.baseline = {{"model.d_ff", 512}};
  }
  CHECK(compare_to_baseline(collect(sweep.write()), "test.bleu")[0].kind == Kind::none);
}

TEST_CASE("4 and 4.0 name the same partner", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.baseline = {{"model.heads", 4.0}};
  sweep.add({{"model.heads", 4}}, 1, {{"test.bleu", 50.0}});
  sweep.add({{"model.heads", 1}}, 1, {{"test.bleu", 40.0}});
  const auto comparisons = compare_to_baseline(collect(sweep.write()), "test.bleu");
  CHECK(comparisons[0].kind == Kind::baseline);
  CHECK(comparisons[1].difference.mean == -10);
}

TEST_CASE("Stars need three seeds and a small adjusted p", "[results]") {
  Comparison comparison;
  CHECK(stars(comparison).empty());
  comparison.difference.n = 3;
  comparison.p_holm = 0.05;
  CHECK(stars(comparison).empty());
  comparison.p_holm = 0.049;
  CHECK(stars(comparison) == "*");
  comparison.p_holm = 0.009;
  CHECK(stars(comparison) == "**");
  comparison.p_holm = 0.0009;
  CHECK(stars(comparison) == "***");
  comparison.difference.n = 2;
  CHECK(stars(comparison).empty());
}

TEST_CASE("A folder without a sweep is named", "[results]") {
  const tests::TemporaryFolder folder;
  const auto message = tests::error_message([&] { collect(folder.path()); });
  CHECK(tests::mentions(message, folder.path().string(), "manifest.json"));
  folder.write("manifest.json", "{\"name\": \"x\"}");
  CHECK(tests::mentions(tests::error_message([&] { collect(folder.path()); }), "manifest.json", "metric"));
}

TEST_CASE("A list of runs of the wrong shape is named, not guessed at", "[results]") {
  const tests::TemporaryFolder folder;
  const auto message = [&](const std::string& goal, const std::string& baseline, const std::string& runs = "[]") {
    folder.write("manifest.json", R"({"name": "x", "metric": {"name": "test.bleu", "goal": )" + goal +
                                      R"(}, "baseline": )" + baseline + R"(, "runs": )" + runs + "}");
    return tests::error_message([&] { collect(folder.path()); });
  };
  CHECK(tests::mentions(message("\"most\"", "{}"), "manifest.json", "most", "minimize"));
  CHECK(tests::mentions(message("3", "{}"), "manifest.json", "string"));
  CHECK(tests::mentions(message("\"minimize\"", "[4]"), "manifest.json", "baseline", "[4]", "object"));
  CHECK(tests::mentions(message("\"minimize\"", "{}", "{}"), "manifest.json", "'runs' is {}", "list"));
}

}  // namespace
}  // namespace attnlab::results
