// The losses of two small trainings, as the first version wrote them into metrics.jsonl (one thread, x86-64): whatever
// changes later must train the same model. Processors round differently, in the seventh digit here.

#include "experiments/spec/read.h"
#include "support/json.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"

namespace attnlab::training {
namespace {

TEST_CASE("Two small trainings have the losses that they always had", "[trainer]") {
  const std::string name = GENERATE("losses_post.json", "losses_pre.json");
  const Json stored = read_json(std::filesystem::path(ATTNLAB_TESTS_DIR) / "experiments/training/data" / name, name);
  const auto losses = stored.at("losses").get<std::vector<double>>();
  const tests::TemporaryFolder folder;
  tests::Recorder recorder;
  tests::run(spec::parse_run_config(stored.at("config"), name), folder.path(), recorder);
  REQUIRE(losses.size() == 30);
  REQUIRE(recorder.steps.size() == losses.size());
  for (size_t i = 0; i < losses.size(); ++i) {
    INFO(name << ", step " << i + 1);
    CHECK(recorder.steps[i].loss == Approx(losses[i]).epsilon(1e-4));
  }
}

}  // namespace
}  // namespace attnlab::training
