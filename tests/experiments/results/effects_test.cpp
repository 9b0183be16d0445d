#include "experiments/results/effects.h"

#include <fmt/format.h>

#include "tests/experiments/results/sweep_on_disk.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::results {
namespace {

/// Made by tests/oracles/results/effects.py.
Json oracle(const std::string& name) {
  return read_json(ATTNLAB_TESTS_DIR "/experiments/results/data/effects.json", "oracle")[name];
}

/// The levels of factor a are 10, 11, ..., and so on, so that they differ in number and in name.
Json level_value(size_t factor, size_t level) {
  return static_cast<int>(10 * (factor + 1) + level);
}

/// Planned cell by cell in the order of the levels; b's reference is its second level, named by the baseline.
SweepResults sweep_of(const Json& example) {
  SweepOnDisk sweep;
  sweep.manifest.baseline = {{"b", level_value(1, 1)}};
  for (const auto& item : example["values"]) {
    Json factors;
    for (size_t f = 0; f < 3; ++f)
      factors[std::string(1, static_cast<char>('a' + f))] = level_value(f, item["levels"][f]);
    sweep.add(factors, item["seed"], {{"test.bleu", item["value"]}});
  }
  return collect(sweep.write());
}

size_t index_of(const Grid& grid, size_t factor, size_t level) {
  const auto& levels = grid.factors[factor].levels;
  const auto found = std::find(levels.begin(), levels.end(), level_value(factor, level).dump());
  REQUIRE(found != levels.end());
  return static_cast<size_t>(found - levels.begin());
}

void check(const std::optional<Contrast>& contrast, const Json& expected) {
  REQUIRE(contrast.has_value() == !expected.is_null());
  if (!contrast) return;
  CHECK(contrast->combinations == expected["combinations"]);
  CHECK(contrast->all_combinations == expected["all"]);
  CHECK(contrast->difference.n == expected["n"]);
  CHECK(contrast->difference.mean == Approx(expected["mean"].get<double>()).margin(1e-9));
  REQUIRE(contrast->difference.p.has_value() == expected.contains("p"));
  if (!contrast->difference.p) return;
  CHECK(*contrast->difference.low == Approx(expected["low"].get<double>()).margin(1e-8));
  CHECK(*contrast->difference.high == Approx(expected["high"].get<double>()).margin(1e-8));
  CHECK(*contrast->difference.p == Approx(expected["p"].get<double>()).margin(1e-9));
}

void check(const std::optional<double>& mean, const Json& expected) {
  REQUIRE(mean.has_value() == !expected.is_null());
  if (mean) CHECK(*mean == Approx(expected.get<double>()).epsilon(1e-12));
}

TEST_CASE("Effects agree with NumPy and SciPy", "[results]") {
  const std::string name = GENERATE("balanced", "one_seed", "unbalanced");
  const auto example = oracle(name);
  const auto results = sweep_of(example);
  const auto grid = lay_grid(results);
  const auto effects = find_effects(results, grid, "test.bleu");
  REQUIRE(grid.factors.size() == 3);
  for (const auto& item : example["main"]) {
    INFO(name << " " << item.dump());
    const size_t factor = item["factor"], level = index_of(grid, factor, item["level"]);
    const auto& effect = effects.main[factor].levels[level];
    check(effect.mean, item["mean"]);
    CHECK(effect.cells == item["cells"]);
    CHECK(effect.runs == item["runs"]);
    CHECK((level == grid.factors[factor].reference) == !item.contains("difference"));
    check(effect.from_reference, item.value("difference", Json()));
  }
  for (const auto& item : example["interactions"]) {
    INFO(name << " " << item.dump());
    const auto& found =
        *std::find_if(effects.interactions.begin(), effects.interactions.end(),
                      [&](const Interaction& i) { return i.first == item["first"] && i.second == item["second"]; });
    const size_t a = index_of(grid, found.first, item["a"]), b = index_of(grid, found.second, item["b"]);
    check(found.means[a][b], item["mean"]);
    check(found.contrasts[a][b], item.value("contrast", Json()));
  }
  CHECK(effects.balanced == (name != "unbalanced"));
  CHECK(effects.imbalance.empty() == effects.balanced);
}

TEST_CASE("Where hardly anything matches, differences are left out", "[results]") {
  const auto example = oracle("few");
  const auto results = sweep_of(example);
  const auto grid = lay_grid(results);
  const auto effects = find_effects(results, grid, "test.bleu");
  for (const auto& item : example["main"]) {
    INFO(item.dump());
    const size_t factor = item["factor"];
    const auto& effect = effects.main[factor].levels[index_of(grid, factor, item["level"])];
    check(effect.mean, item["mean"]);
    check(effect.from_reference, item.value("difference", Json()));
  }
  CHECK(tests::mentions(effects.imbalance, "8 of 12 combinations of levels are not in the plan",
                        "only combinations, and seeds, that all compared levels have"));
}

TEST_CASE("An effect by hand", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.baseline = {{"heads", 4}};
  for (const int seed : {1, 2}) {
    sweep.add({{"heads", 1}, {"norm", "post"}}, seed, {{"test.bleu", 10.0 + seed}});
    sweep.add({{"heads", 1}, {"norm", "pre"}}, seed, {{"test.bleu", 20.0}});
    sweep.add({{"heads", 4}, {"norm", "post"}}, seed, {{"test.bleu", 30.0}});
    sweep.add({{"heads", 4}, {"norm", "pre"}}, seed, {{"test.bleu", 44.0}});
  }
  const auto results = collect(sweep.write());
  const auto grid = lay_grid(results);
  const auto effects = find_effects(results, grid, "test.bleu");
  CHECK(grid.factors[0].reference == 1);  // the baseline's 4
  CHECK(grid.factors[1].reference == 0);  // no baseline: the first
  CHECK(effects.main[0].levels[0].mean == Approx(15.75));
  // 1 head: seed 1 (11 - 30 + 20 - 44) / 2 = -21.5, seed 2 (12 - 30 + 20 - 44) / 2 = -21
  CHECK(effects.main[0].levels[0].from_reference->difference.mean == Approx(-21.25));
  CHECK(effects.main[0].levels[0].from_reference->difference.n == 2);
  // pre changes the effect of 1 head: (20 - 44) - (11 - 30) = -5, and with seed 2 (20 - 44) - (12 - 30) = -6
  CHECK(effects.interactions[0].contrasts[0][1]->difference.mean == Approx(-5.5));
  CHECK_FALSE(effects.interactions[0].contrasts[1][1].has_value());
  CHECK(effects.balanced);
}

TEST_CASE("Factors that always change together are one", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.baseline = {{"model.d_model", 128}, {"model.d_ff", 512}};
  for (const int size : {64, 128})
    for (const char* norm : {"post", "pre"})
      sweep.add({{"model.d_model", size}, {"model.d_ff", 4 * size}, {"norm", norm}, {"model.layers", 2}}, 1,
                {{"test.bleu", 1.0 * size}});
  const auto results = collect(sweep.write());
  const auto grid = lay_grid(results);
  REQUIRE(grid.factors.size() == 2);  // layers does not vary
  CHECK(grid.factors[0].name == "d_model + d_ff");
  CHECK(grid.factors[0].levels == std::vector<std::string>{"64 / 256", "128 / 512"});
  CHECK(grid.factors[0].reference == 1);
  CHECK(find_effects(results, grid, "test.bleu").balanced);
  CHECK(cell_label(results, grid, 1) == "d_model + d_ff 64 / 256, norm pre");
}

TEST_CASE("A failed run is named as the reason of an imbalance", "[results]") {
  SweepOnDisk sweep;
  fill_heads_and_norm(sweep);
  const auto results = collect(sweep.write());
  const auto effects = find_effects(results, lay_grid(results), "test.bleu");
  CHECK_FALSE(effects.balanced);
  CHECK(tests::mentions(effects.imbalance, "not balanced: 1 run has no result"));
}

TEST_CASE("A sweep without results has no effects", "[results]") {
  SweepOnDisk sweep;
  sweep.add({{"heads", 1}}, 1, run_folder::RunRecord{});
  sweep.add({{"heads", 2}}, 1, run_folder::RunRecord{});
  const auto results = collect(sweep.write());
  const auto effects = find_effects(results, lay_grid(results), "test.bleu");
  CHECK_FALSE(effects.main[0].levels[0].mean.has_value());
  CHECK_FALSE(effects.main[0].levels[1].from_reference.has_value());
}

}  // namespace
}  // namespace attnlab::results
