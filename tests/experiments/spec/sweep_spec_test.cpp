#include "experiments/spec/sweep_spec.h"

#include "experiments/spec/plan.h"
#include "experiments/spec/write.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::spec {
namespace {

using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

SweepSpec parse(const std::string& text, const Overrides& overrides = {}) {
  return parse_sweep_spec(parse_json(text, "s.json"), "s.json", ".", overrides);
}

std::string refusal(const std::string& text, const Overrides& overrides = {}) {
  return error_message([&] { parse(text, overrides); });
}

TEST_CASE("an empty spec is one run with the defaults") {
  const SweepSpec spec = parse("{}");
  CHECK(spec.seeds == std::vector<int64_t>{1});
  CHECK(spec.metric == "test.bleu");
  CHECK(spec.goal == Goal::maximize);
  CHECK(spec.run_cap == 256);
  CHECK(spec.on_divergence == OnDivergence::fail);
  CHECK(spec.baseline.empty());
}

TEST_CASE("the name is the file's unless given") {
  const TemporaryFolder folder;
  CHECK(read_sweep_spec(folder.write("heads.json", "{}")).name == "heads");
  CHECK(read_sweep_spec(folder.write("heads.json", R"({"name": "x"})")).name == "x");
}

TEST_CASE("unknown top-level keys are refused with the nearest") {
  CHECK(mentions(refusal(R"({"gird": {}})"), "s.json: gird: unknown key", "did you mean \"grid\"?"));
  CHECK(mentions(refusal("[]"), "s.json: expected an object"));
}

TEST_CASE("a base is an object, or a file from the spec's folder") {
  const TemporaryFolder folder;
  folder.write("base.json", R"({"model": {"heads": 2}})");
  const auto spec = read_sweep_spec(folder.write("s.json", R"({"base": "base.json"})"));
  CHECK(spec.base.model.heads == 2);
  CHECK(spec.document["base"]["model"]["heads"] == 2);
  folder.write("base.json", R"({"model": {"haeds": 2}})");
  CHECK(mentions(error_message([&] { read_sweep_spec(folder.path() / "s.json"); }), "base.json: model.haeds", "heads"));
  const auto missing = folder.write("m.json", R"({"base": "gone.json"})");
  CHECK(mentions(error_message([&] { read_sweep_spec(missing); }), "m.json: base", "gone.json", "no such file"));
  CHECK(
      mentions(refusal(R"({"base": {"model": {"heads": "2"}}})"), "s.json: base.model.heads: expected a whole number"));
  CHECK(mentions(refusal(R"({"base": 5})"), "s.json: base: expected an object", "got 5"));
}

TEST_CASE("seeds are a list of different numbers or a count") {
  CHECK(parse(R"({"seeds": 3})").seeds == std::vector<int64_t>{1, 2, 3});
  CHECK(parse(R"({"seeds": [0, 9223372036854775807]})").seeds == std::vector<int64_t>{0, 9223372036854775807});
  CHECK(parse(R"({"base": {"seed": 5}})").seeds == std::vector<int64_t>{5});
  CHECK(mentions(refusal(R"({"seeds": [1, 2, 1.0]})"), "s.json: seeds[2]", "1 stands twice"));
  CHECK(mentions(refusal(R"({"seeds": []})"), "seeds", "empty"));
  CHECK(mentions(refusal(R"({"seeds": 0})"), "seeds", "a count from 1"));
  CHECK(mentions(refusal(R"({"seeds": [-1]})"), "seeds[0]", "at least 0, got -1"));
  CHECK(mentions(refusal(R"({"seeds": "3"})"), "seeds", "a list of seeds or their count"));
  CHECK(mentions(refusal(R"({"seeds": [1], "base": {"seed": 2}})"), "base.seed", "remove one"));
  CHECK(mentions(refusal(R"({"grid": {"seed": [1, 2]}})"), "grid.seed", "\"seeds\""));
}

TEST_CASE("grid values are checked one by one") {
  CHECK(mentions(refusal(R"({"grid": {"model.haeds": [1]}})"), "s.json: grid[\"model.haeds\"]",
                 "did you mean \"model.heads\"?"));
  CHECK(mentions(refusal(R"({"grid": {"model.heads": [1, "2"]}})"), "grid[\"model.heads\"][1]", "whole number"));
  CHECK(mentions(refusal(R"({"grid": {"model.heads": [1, 2, 1.0]}})"), "grid[\"model.heads\"][2]", "stands twice"));
  CHECK(mentions(refusal(R"({"grid": {"model.heads": []}})"), "grid[\"model.heads\"]", "not empty"));
  CHECK(mentions(refusal(R"({"grid": {"model.heads": 4}})"), "grid[\"model.heads\"]", "a list of values"));
  CHECK(mentions(refusal(R"({"grid": [1]})"), "s.json: grid: expected an object"));
}

TEST_CASE("zip lists are equally long and not in the grid too") {
  CHECK(mentions(refusal(R"({"zip": {"model.heads": [1, 2], "model.d_k": [1, 2, 3]}})"), "zip[\"model.d_k\"]: 3 values",
                 "has 2"));
  CHECK(mentions(refusal(R"({"zip": {"model.heads": [1, 2]}, "grid": {"model.heads": [1, 2]}})"),
                 "zip[\"model.heads\"]", "grid too"));
}

TEST_CASE("variants are a list or an object, with different names") {
  CHECK(parse(R"({"variants": [{"name": "a", "set": {"model.heads": 2}}, {"name": "b"}]})").variants.size() == 2);
  CHECK(parse(R"({"variants": {"a": {"model.heads": 2}, "b": {}}})").variants[0].name == "a");
  CHECK(mentions(refusal(R"({"variants": [{"name": "a"}, {"name": "a"}]})"), "variants[1]", "\"a\" stands twice"));
  CHECK(mentions(refusal(R"({"variants": [{"set": {}}]})"), "variants[0]", "\"name\" is missing"));
  CHECK(mentions(refusal(R"({"variants": [{"name": "a", "sets": {}}]})"), "variants[0].sets", "did you mean \"set\"?"));
  CHECK(mentions(refusal(R"({"variants": {"a": {"model.haeds": 2}}})"), "variants.a[\"model.haeds\"]", "model.heads"));
  CHECK(mentions(refusal(R"({"variants": {"": {}}})"), "variants", "not empty"));
  CHECK(mentions(refusal(R"({"variants": {"a\u0000b": {}}})"), "variants", "NUL character"));
  CHECK(mentions(refusal(R"({"name": "a\u0000b"})"), "name: the name contains a NUL character"));
  CHECK(mentions(refusal(R"({"name": "a\nb"})"), "name: the name contains a line break"));
  CHECK(mentions(refusal(R"({"variants": {"a": {"model.heads": 2}}, "grid": {"model.heads": [1]}})"),
                 "variants.a[\"model.heads\"]", "an axis"));
}

TEST_CASE("include, exclude and baseline name known keys, values and variants") {
  CHECK(mentions(refusal(R"({"include": [{"model.heads": "x"}]})"), "include[0][\"model.heads\"]", "whole number"));
  CHECK(mentions(refusal(R"({"exclude": [{}]})"), "exclude[0]", "empty"));
  CHECK(mentions(refusal(R"({"exclude": {"model.heads": 1}})"), "exclude", "a list of objects"));
  CHECK(mentions(refusal(R"({"variants": {"base": {}}, "exclude": [{"variant": "bsae"}]})"), "exclude[0].variant",
                 "did you mean \"base\"?"));
  CHECK(mentions(refusal(R"({"baseline": {"model.heads": 4}})"), "baseline[\"model.heads\"]", "not varied"));
  CHECK(mentions(refusal(R"({"baseline": {"variant": "a"}})"), "baseline.variant", "no variant \"a\""));
}

TEST_CASE("published numbers name their source, cells that the sweep knows and metrics that runs have") {
  const std::string grid = R"("grid": {"model.heads": [1, 4]}, "published": )";
  const auto refused = [&](const std::string& published) { return refusal("{" + grid + published + "}"); };
  const auto spec = parse("{" + grid + R"({"source": "a table", "rows": [
      {"cell": {"model.heads": 1}, "test.bleu": 24.9, "test.perplexity": 5}]}})");
  CHECK(spec.published.source == "a table");
  REQUIRE(spec.published.rows.size() == 1);
  CHECK(spec.published.rows[0].values == std::map<std::string, double>{{"test.bleu", 24.9}, {"test.perplexity", 5.0}});
  CHECK(parse("{" + grid + "{}}").published.rows.empty());
  CHECK(mentions(refused(R"({"rows": []})"), "published", "\"source\" is missing"));
  CHECK(mentions(refused(R"({"source": "a"})"), "\"rows\" is missing"));
  CHECK(mentions(refused(R"({"source": "a", "rows": []})"), "published.rows", "expected a list such as"));
  CHECK(
      mentions(refused(R"({"source": "a", "rows": [{"test.bleu": 1}]})"), "published.rows[0]", "\"cell\" is missing"));
  CHECK(mentions(refused(R"({"source": "a", "rows": [{"cell": {"model.heads": 1}}]})"), "at least one metric"));
  CHECK(mentions(refused(R"({"source": "a", "rows": [{"cell": {"model.heads": 1}, "test.bleux": 1}]})"),
                 "did you mean \"test.bleu\""));
  CHECK(mentions(refused(R"({"source": "a", "rows": [{"cell": {"model.heads": 1}, "test.bleu": "1"}]})"),
                 "published.rows[0][\"test.bleu\"]", "expected a number"));
  CHECK(mentions(refused(R"({"source": "a", "rows": [{"cell": {"variant": "x"}, "test.bleu": 1}]})"), "no variant"));
}

TEST_CASE("a baseline in a zip takes its whole row and must name exactly one") {
  const std::string zip = R"("zip": {"model.heads": [1, 2, 4], "model.d_k": [64, 32, 32], "model.d_v": [64, 32, 16]})";
  CHECK(parse("{" + zip + R"(, "baseline": {"model.heads": 2}})").baseline ==
        parse_json(R"({"model.heads": 2, "model.d_k": 32, "model.d_v": 32})", ""));
  CHECK(mentions(refusal("{" + zip + R"(, "baseline": {"model.d_k": 32}})"), "baseline: 2 rows of zip", "exactly one"));
  CHECK(mentions(refusal("{" + zip + R"(, "baseline": {"model.heads": 3}})"), "baseline: 0 rows of zip"));
}

TEST_CASE("metric, run_cap and on_divergence") {
  CHECK(parse(R"({"metric": {"name": "valid.loss"}})").goal == Goal::minimize);
  CHECK(parse(R"({"metric": {"name": "test.ter", "goal": "maximize"}})").goal == Goal::maximize);
  CHECK(mentions(refusal(R"({"metric": {"name": "test.blue"}})"), "metric.name", "did you mean \"test.bleu\"?"));
  CHECK(mentions(refusal(R"({"metric": {"goal": "max"}})"), "metric.goal", "maximize, minimize"));
  CHECK(mentions(refusal(R"({"metric": "test.bleu"})"), "metric", "an object such as"));
  CHECK(parse(R"({"on_divergence": "record"})").on_divergence == OnDivergence::record);
  CHECK(mentions(refusal(R"({"on_divergence": "ignore"})"), "on_divergence", "one of fail, record"));
  CHECK(mentions(refusal(R"({"run_cap": 0})"), "run_cap", "from 1"));
}

TEST_CASE("--set fixes a key in every cell and drops its axis") {
  const std::string text =
      R"({"grid": {"model.heads": [1, 2], "model.norm.placement": ["post", "pre"]}, "baseline": {"model.heads": 2, "model.norm.placement": "pre"}})";
  const SweepSpec spec = parse(text, {{"model.heads=8"}, {}});
  REQUIRE(spec.axes.size() == 1);
  CHECK(spec.axes[0].keys[0] == "model.norm.placement");
  CHECK(spec.baseline == parse_json(R"({"model.norm.placement": "pre"})", ""));
  CHECK(spec.set == parse_json(R"({"model.heads": 8})", ""));
  CHECK(parse(R"({"zip": {"model.heads": [1, 2], "model.d_k": [4, 2]}})", {{"model.d_k=8"}, {}}).axes[0].keys ==
        std::vector<std::string>{"model.heads"});
  CHECK(parse(R"({"grid": {"model.encoder_layers": [1, 2]}})", {{"model.layers=3"}, {}}).axes.empty());
  CHECK(parse(R"({"grid": {"model.layers": [1, 2]}})", {{"model.encoder_layers=3"}, {}}).axes.size() == 1);
}

TEST_CASE("--set also reaches the sweep's own keys") {
  const SweepSpec spec =
      parse(R"({"seeds": 5, "base": {}})", {{"seeds=[7]", "run_cap=3", "name=2016", "on_divergence=record"}, {}});
  CHECK(spec.seeds == std::vector<int64_t>{7});
  CHECK(spec.run_cap == 3);
  CHECK(spec.name == "2016");
  CHECK(spec.on_divergence == OnDivergence::record);
  CHECK(parse(R"({"seeds": 5})", {{"seed=9"}, {}}).seeds == std::vector<int64_t>{9});
  CHECK(parse(R"({"base": {"seed": 5}})", {{"seed=9"}, {}}).seeds == std::vector<int64_t>{9});
  CHECK(parse(R"({"base": {"seed": 5}})", {{"seeds=2"}, {}}).seeds == std::vector<int64_t>{1, 2});
  CHECK(mentions(refusal("{}", {{"grid=1"}, {}}), "--set grid", "unknown key"));
}

TEST_CASE("--sweep adds an axis, or replaces one of the same key") {
  const SweepSpec spec =
      parse(R"({"grid": {"model.heads": [1, 2, 3]}})", {{}, {"model.heads=4,8", "model.positions.type=learned,none"}});
  REQUIRE(spec.axes.size() == 2);
  CHECK(spec.axes[0].rows == std::vector<std::vector<Json>>{{4}, {8}});
  CHECK(spec.axes[1].rows == std::vector<std::vector<Json>>{{"learned"}, {"none"}});
  CHECK(parse("{}", {{}, {R"(model.heads=[1, 2])"}}).axes[0].rows.size() == 2);
  CHECK(mentions(refusal("{}", {{}, {"model.heads=1,x"}}), "--sweep model.heads", "\"x\""));
  CHECK(mentions(refusal("{}", {{}, {"model.heads=1,1"}}), "stands twice"));
  CHECK(mentions(refusal("{}", {{}, {"model.heads"}}), "--sweep", "key=v1,v2"));
}

TEST_CASE("the document with overrides inside reads to the same sweep") {
  const std::string text =
      R"({"name": "x", "base": {"data": {"generator": "copy"}}, "grid": {"model.heads": [1, 2]}, "variants": {"a": {}, "b": {"model.layers": 2}}})";
  const SweepSpec spec = parse(text, {{"model.d_ff=64", "seeds=2"}, {"model.norm.placement=pre,post"}});
  const auto runs = plan_runs(spec);
  const auto again = plan_runs(parse_sweep_spec(spec.document, "again", "."));
  REQUIRE(runs.size() == 16);
  REQUIRE(again.size() == runs.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    CHECK(runs[i].folder == again[i].folder);
    CHECK(to_json(runs[i].config) == to_json(again[i].config));
    CHECK(runs[i].config.model.d_ff == 64);
  }
}

}  // namespace
}  // namespace attnlab::spec
