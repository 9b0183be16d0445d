// The specs that are delivered: each can be planned, and says what it claims.

#include <filesystem>
#include <map>
#include <set>

#include "experiments/spec/plan.h"
#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

std::vector<PlannedRun> plan(const std::string& name) {
  return plan_runs(read_sweep_spec(std::filesystem::path(ATTNLAB_TESTS_DIR) / ".." / "specs" / name));
}

TEST_CASE("every spec of the folder can be planned") {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(ATTNLAB_TESTS_DIR) / ".." / "specs")) {
    INFO(entry.path());
    std::set<std::string> folders;
    const auto runs = plan_runs(read_sweep_spec(entry.path()));
    for (const PlannedRun& run : runs) {
      INFO(run.variant);
      for (const std::string& problem : run.problems) FAIL_CHECK(problem);
      folders.insert(run.folder);
    }
    CHECK(folders.size() == runs.size());
  }
}

TEST_CASE("the demo varies heads, placement and positions, and has a cell without positions") {
  const auto runs = plan("demo.json");
  CHECK(runs.size() == 17);
  CHECK(runs.back().config.model.encoder_positions.type == "none");
  CHECK(runs.front().config.data.generator == "pronouns");
}

TEST_CASE("table 3 has all rows of the paper on one vocabulary") {
  const auto runs = plan("table3.json");
  REQUIRE(runs.size() == 20);
  CHECK(runs.front().variant == "base");
  CHECK(runs.front().config.model.d_model == 512);
  CHECK(runs.front().config.model.dropout.attention == 0);
  CHECK(runs.back().config.model.d_ff == 4096);
  CHECK(runs.back().config.training.steps == 300'000);
  for (const PlannedRun& run : runs) CHECK(run.config.tokenizer.vocab_size == 41'100);
}

TEST_CASE("all tables of the paper carry its BLEU and perplexity in every row") {
  for (const std::string name : {"table3.json", "table3-small.json", "table3-demo.json"}) {
    INFO(name);
    for (const PlannedRun& run : plan(name)) {
      INFO(run.variant);
      CHECK(run.published.count("test.bleu") == 1);
      CHECK(run.published.count("test.perplexity") == 1);
    }
  }
  CHECK(plan("table3-small.json").size() == 19 * 3);
  CHECK(plan("table3-demo.json").size() == 19 * 5);
}

TEST_CASE("multi30k-tiny is the published recipe, with its score") {
  const auto runs = plan("multi30k-tiny.json");
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].published == std::map<std::string, double>{{"test.multi_bleu", 41.02}});
  const RunConfig& config = runs[0].config;
  CHECK(config.model.attention_bias);
  CHECK(config.model.decoder_positions.layout == "tensor2tensor");
  CHECK(config.model.dropout.embedding == 0.3);
  CHECK(config.model.dropout.activation == 0);
  CHECK(config.training.optimizer.epsilon == 1e-8);
  CHECK(config.training.patience == config.training.average_last);
  CHECK(config.decoding.max_length_ratio == 0);
}

TEST_CASE("multi30k-demo compares heads 1 and 4 in both placements") {
  CHECK(plan("multi30k-demo.json").size() == 4);
}

}  // namespace
}  // namespace attnlab::spec
