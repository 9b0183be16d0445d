#include "experiments/spec/plan.h"

#include <set>

#include "experiments/spec/write.h"
#include "support/error.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::spec {
namespace {

using tests::error_message;
using tests::mentions;

const std::string kCopy = R"("base": {"data": {"generator": "copy"}})";

std::vector<PlannedRun> plan(const std::string& members, const Overrides& overrides = {}) {
  return plan_runs(parse_sweep_spec(parse_json("{" + kCopy + members + "}", "s.json"), "s.json", ".", overrides));
}

std::string refusal(const std::string& members) {
  return error_message([&] { plan(members); });
}

std::vector<std::string> names(const std::vector<PlannedRun>& runs) {
  std::vector<std::string> result;
  for (const PlannedRun& run : runs) result.push_back(run.variant);
  return result;
}

using Names = std::vector<std::string>;

TEST_CASE("a grid is the product of its axes in the order of the file, the last fastest") {
  const auto runs = plan(R"(, "grid": {"model.norm.placement": ["pre", "post"], "model.heads": [4, 1]})");
  CHECK(names(runs) ==
        Names{"placement=pre_heads=4", "placement=pre_heads=1", "placement=post_heads=4", "placement=post_heads=1"});
  CHECK(runs[1].config.model.heads == 1);
  CHECK(runs[1].config.model.norm.placement == "pre");
  REQUIRE(runs[1].factors.size() == 2);
  CHECK(runs[1].factors[0].key == "model.norm.placement");
  CHECK(runs[1].factors[1].value == 1);
}

TEST_CASE("zip advances together and is combined with the grid") {
  const auto runs =
      plan(R"(, "zip": {"model.heads": [1, 2], "model.d_k": [64, 32]}, "grid": {"model.layers": [2, 3]})");
  CHECK(names(runs) == Names{"layers=2_heads=1_d_k=64", "layers=2_heads=2_d_k=32", "layers=3_heads=1_d_k=64",
                             "layers=3_heads=2_d_k=32"});
  CHECK(runs[2].config.model.encoder_layers == 3);
  CHECK(runs[2].config.model.decoder_layers == 3);
}

TEST_CASE("seeds repeat each cell under one hash") {
  const auto runs = plan(R"(, "seeds": [3, 7], "grid": {"model.heads": [1, 2]})");
  REQUIRE(runs.size() == 4);
  CHECK(runs[0].variant_hash == runs[1].variant_hash);
  CHECK(runs[0].variant_hash != runs[2].variant_hash);
  CHECK(runs[1].folder == "heads=1-" + runs[0].variant_hash + "/seed=7");
  CHECK(runs[1].config.seed == 7);
  CHECK(runs[0].variant_hash.size() == 8);
  CHECK(runs[0].variant_hash.find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("variants are named cells, combined with axes") {
  const auto runs = plan(
      R"(, "variants": {"small one": {"model.d_model": 64}, "big": {"model": {"d_model": 128}}}, "grid": {"model.heads": [1, 2]})");
  CHECK(names(runs) == Names{"small-one_heads=1", "small-one_heads=2", "big_heads=1", "big_heads=2"});
  CHECK(runs[0].factors[0].value == "small one");
  CHECK(runs[3].config.model.d_model == 128);
}

TEST_CASE("exclude leaves out, include adds; all runs have the same factors") {
  const auto runs = plan(R"(, "grid": {"model.heads": [1, 2], "model.norm.placement": ["post", "pre"]},
    "exclude": [{"model.heads": 2.0, "model.norm.placement": "pre"}], "include": [{"model.heads": 4, "model.layers": 2}])");
  CHECK(names(runs) == Names{"heads=1_placement=post_layers=6", "heads=1_placement=pre_layers=6",
                             "heads=2_placement=post_layers=6", "heads=4_placement=post_layers=2"});
  CHECK(runs[3].factors[1].value == "post");
  CHECK(runs[0].factors[2].value == 6);
}

TEST_CASE("include alone lists cells, and may start from a variant") {
  const auto runs = plan(R"(, "include": [{"model.heads": 1}, {"model.heads": 2}])");
  CHECK(names(runs) == Names{"heads=1", "heads=2"});
  const auto more = plan(
      R"(, "variants": {"wide": {"model.d_ff": 64}}, "include": [{"variant": "wide", "model.heads": 2}, {"model.heads": 4}])");
  CHECK(names(more) == Names{"wide_heads=8", "wide_heads=2", "heads=4"});
  CHECK(more[1].config.model.d_ff == 64);
  CHECK(more[2].config.model.d_ff == 2048);
  CHECK(more[2].factors[0].value.is_null());
}

TEST_CASE("an exclude or a baseline that meets nothing is refused") {
  CHECK(mentions(refusal(R"(, "grid": {"model.heads": [1, 2]}, "exclude": [{"model.heads": 4}])"), "exclude[0]",
                 "no cell agrees"));
  CHECK(mentions(refusal(R"(, "grid": {"model.heads": [1, 2]}, "baseline": {"model.heads": 4})"), "baseline",
                 "no cell agrees"));
  CHECK(mentions(refusal(R"(, "grid": {"model.heads": [1, 2]}, "exclude": [{"model.d_ff": 2048}])"), "exclude",
                 "leaves no cell"));
  CHECK(plan(R"(, "grid": {"model.heads": [1, 2]}, "baseline": {"model.heads": 2.0})").size() == 2);
}

TEST_CASE("run_cap counts seeds and stops a product before it is made") {
  CHECK(mentions(refusal(R"(, "run_cap": 5, "seeds": 3, "grid": {"model.heads": [1, 2]})"), "6 runs",
                 "run_cap allows 5"));
  CHECK(plan(R"(, "run_cap": 6, "seeds": 3, "grid": {"model.heads": [1, 2]})").size() == 6);
  std::string grid;
  for (const char* key : {"data.seed", "data.symbols", "model.d_ff", "training.steps", "decoding.beam",
                          "training.patience", "decoding.min_length"}) {
    grid +=
        std::string(grid.empty() ? "" : ",") + "\"" + key + "\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]";
  }
  CHECK(mentions(refusal(", \"grid\": {" + grid + "}"), "1280000000 runs"));
}

TEST_CASE("a cell that cannot work has problems and does not stop the others") {
  const auto runs = plan(R"(, "grid": {"model.heads": [4, 7]})");
  CHECK(runs[0].problems.empty());
  REQUIRE(runs[1].problems.size() == 1);
  CHECK(mentions(runs[1].problems[0], "model.heads", "7"));
}

TEST_CASE("two cells that are the same run are refused") {
  const auto runs = plan(R"(, "variants": {"a": {}, "b": {"model.heads": 8}, "c": {"model.heads": 4}})");
  CHECK(runs[0].problems.empty());
  REQUIRE(runs[1].problems.size() == 1);
  CHECK(mentions(runs[1].problems[0], "the same run as the cell a"));
  CHECK(runs[2].problems.empty());
}

TEST_CASE("the metric that is compared must be computed") {
  const auto runs =
      plan(R"(, "metric": {"name": "test.chrf"}, "grid": {"evaluation.metrics": [["bleu"], ["bleu", "chrf"]]})");
  REQUIRE(runs[0].problems.size() == 1);
  CHECK(mentions(runs[0].problems[0], "evaluation.metrics", "\"chrf\""));
  CHECK(runs[1].problems.empty());
  const auto other = plan(R"(, "metric": {"name": "test.multi_bleu"})");
  REQUIRE(other[0].problems.size() == 1);
  CHECK(mentions(other[0].problems[0], "evaluation.metrics", "\"multi_bleu\""));
}

TEST_CASE("content makes the hash, and its faults are the cell's") {
  const SweepSpec spec =
      parse_sweep_spec(parse_json("{" + kCopy + R"(, "grid": {"model.heads": [1, 2]}})", "s"), "s", ".");
  const auto one = plan_runs(spec, [](const RunConfig&) { return "1"; });
  const auto two = plan_runs(spec, [](const RunConfig& config) -> std::string {
    if (config.model.heads == 2) throw Error("data.dir: no such folder");
    return "2";
  });
  CHECK(one[0].variant_hash != two[0].variant_hash);
  CHECK(two[0].problems.empty());
  CHECK(two[1].problems == Names{"data.dir: no such folder"});
}

TEST_CASE("--set beats variants and axes; cells that become equal are refused") {
  const auto runs =
      plan(R"(, "variants": {"a": {"model.heads": 2}, "b": {"model.layers": 2}}, "grid": {"model.dropout": [0, 0.2]})",
           {{"model.heads=4", "model.dropout.residual=0.5"}, {}});
  REQUIRE(runs.size() == 4);
  for (const PlannedRun& run : runs) {
    CHECK(run.config.model.heads == 4);
    CHECK(run.config.model.dropout.residual == 0.5);
    CHECK(run.problems.empty());
  }
  CHECK(runs[1].config.model.dropout.attention == 0.2);
  const auto same =
      plan(R"(, "variants": {"a": {"model.heads": 2}, "b": {"model.heads": 8}})", {{"model.heads=4"}, {}});
  CHECK(same[1].problems.size() == 1);
}

TEST_CASE("names of cells are short, distinct and safe as folders") {
  CHECK(names(plan(R"(, "grid": {"model.positions.type": ["none"], "training.optimizer.type": ["adamw"]})")) ==
        Names{"positions=none_optimizer=adamw"});
  CHECK(
      names(plan(
          R"(, "grid": {"model.encoder_positions.max_length": [600], "model.decoder_positions.max_length": [700]})")) ==
      Names{"encoder_positions.max_length=600_decoder_positions.max_length=700"});
  CHECK(names(plan(R"(, "variants": {"../a/b c": {}, "äö": {"model.heads": 4}, "..": {"model.heads": 2}})")) ==
        Names{"a-b-c", "äö", "run"});
  CHECK(names(plan("")) == Names{"run"});
  const auto runs = plan(R"(, "variants": {")" + std::string(300, 'x') + R"(": {}})");
  CHECK(runs[0].variant.size() == 80);
  const auto accents =
      plan(R"(, "variants": {"x)" + std::string("ääääääääääääääääääääääääääääääääääääääääääääää") + R"(": {}})");
  CHECK(accents[0].variant.size() == 79);  // no half of a letter
}

TEST_CASE("a factor's value reads like a word") {
  CHECK(factor_text("post") == "post");
  CHECK(factor_text(4) == "4");
  CHECK(factor_text(0.1) == "0.1");
  CHECK(factor_text(Json()) == "-");
}

TEST_CASE("published numbers go to the cells that agree, however they name them") {
  const std::string grid = R"(, "grid": {"model.norm.placement": ["post", "pre"], "model.heads": [1, 4]})";
  const auto published = [&](const std::string& rows) {
    return grid + R"(, "published": {"source": "a table", "rows": [)" + rows + "]}";
  };
  const auto runs =
      plan(published(R"({"cell": {"model.norm": {"placement": "pre"}, "model.heads": 4}, "test.bleu": 25.8})"));
  REQUIRE(runs.size() == 4);
  CHECK(runs[3].published == std::map<std::string, double>{{"test.bleu", 25.8}});
  for (size_t i = 0; i < 3; ++i) CHECK(runs[i].published.empty());

  const auto doubled = plan(published(R"({"cell": {"model.heads": 1}, "test.bleu": 1},
      {"cell": {"model.norm.placement": "pre"}, "test.bleu": 2, "test.ter": 3})"));
  CHECK(doubled[0].problems.empty());
  REQUIRE(doubled[2].problems.size() == 1);
  CHECK(mentions(doubled[2].problems[0], "published.rows[1]", "a second test.bleu", "more keys"));
  CHECK(
      mentions(refusal(published(R"({"cell": {"model.heads": 2}, "test.bleu": 1})")), "published.rows[0]", "no cell"));
}

}  // namespace
}  // namespace attnlab::spec
