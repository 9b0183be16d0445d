#include "experiments/studies/study.h"

#include <cmath>

#include "experiments/spec/sweep_spec.h"
#include "experiments/studies/positions_study.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::studies {
namespace {

using tests::error_message;
using tests::mentions;

const std::vector<spec::Choice> kFruit = {{"apple", ""}, {"pear", ""}, {"plum", ""}};

TEST_CASE("names of an axis are known, different and enough") {
  CHECK(axis_of_names({"pear", "apple"}, kFruit, "--fruit", 2) == std::vector<Json>{"pear", "apple"});
  CHECK(mentions(error_message([] {
                   axis_of_names({"aple", "pear"}, kFruit, "--fruit", 2);
                 }),
                 "--fruit", "apple, pear, plum", "got \"aple\"", "did you mean \"apple\"?"));
  CHECK(mentions(error_message([] {
                   axis_of_names({"pear", "pear"}, kFruit, "--fruit", 2);
                 }),
                 "--fruit", "\"pear\" stands twice"));
  CHECK(mentions(error_message([] { axis_of_names({"pear"}, kFruit, "--fruit", 2); }), "at least 2", "got 1"));
}

TEST_CASE("a study adds its axes, baseline and probes to a spec") {
  const tests::TemporaryFolder folder;
  folder.write("mine.json",
               R"({"base": {"seed": 4, "data": {"generator": "copy"}, "evaluation": {"probes": ["chance"]}},
    "grid": {"model.heads": [1, 2]}, "metric": {"name": "test.exact"}})");
  StudyOptions options;
  options.spec = (folder.path() / "mine.json").string();
  options.seeds = 2;
  options.set = {"training.steps=7"};
  const Json document = study_spec({}, options, {{"model.norm.type", {"layer_norm", "rms_norm"}, true}}, {"lengths"});
  const spec::SweepSpec sweep = spec::parse_sweep_spec(document, "it", ".");
  CHECK(sweep.name == "mine");
  CHECK(sweep.seeds == std::vector<int64_t>{1, 2});
  REQUIRE(sweep.axes.size() == 2);
  CHECK(sweep.axes[0].keys[0] == "model.norm.type");
  CHECK(sweep.baseline == Json({{"model.norm.type", "layer_norm"}}));
  CHECK(sweep.set["evaluation.probes"] == Json::array({"chance", "lengths"}));
  CHECK(sweep.set["training.steps"] == 7);
  CHECK(sweep.metric == "test.exact");
}

TEST_CASE("a study refuses a spec that varies or fixes its key") {
  const tests::TemporaryFolder folder;
  const auto refusal = [&](const std::string& text, const std::vector<std::string>& set) {
    folder.write("mine.json", text);
    StudyOptions options;
    options.spec = (folder.path() / "mine.json").string();
    options.set = set;
    return error_message([&] { positions_spec(options, {"sinusoidal", "none"}); });
  };
  const std::string base = R"({"base": {"data": {"generator": "copy"}})";
  CHECK(mentions(refusal(base + R"(, "grid": {"model.positions.type": ["none", "t5"]}})", {}), "mine.json",
                 "model.positions.type", "attnlab run"));
  CHECK(mentions(refusal(base + "}", {"model.positions.type=none"}), "model.positions.type", "--set"));
  CHECK(mentions(refusal(base + "}", {"model.head=1"}), "--set model.head", "did you mean"));
}

TEST_CASE("validation losses are read from the log, and the first low one is found") {
  const tests::TemporaryFolder folder;
  folder.write("metrics.jsonl",
               "{\"step\":1,\"loss\":2}\n{\"step\":2,\"valid_loss\":1.5}\n{\"step\":4,\"valid_loss\":null}\n"
               "{\"step\":6,\"valid_loss\":0.5}\nhalf a li");
  const auto losses = validation_losses(folder.path());
  REQUIRE(losses.size() == 3);
  CHECK(std::isnan(losses[1].second));
  CHECK(first_step_below(losses, 1.5) == 2);
  CHECK(first_step_below(losses, 1) == 6);
  CHECK_FALSE(first_step_below(losses, 0.1).has_value());
  CHECK(validation_losses(folder.path() / "none").empty());
}

TEST_CASE("means over seeds take what is finite") {
  SeedMeans means;
  means.add(1, 2);
  means.add(1, 4);
  means.add(1, std::nan(""));
  means.add(0, 1);
  const std::vector<std::pair<double, double>> expected = {{0, 1}, {1, 3}};
  CHECK(means.points() == expected);
}

}  // namespace
}  // namespace attnlab::studies
