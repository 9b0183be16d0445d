#include "experiments/studies/norms_study.h"

#include "experiments/spec/plan.h"
#include "experiments/spec/sweep_spec.h"
#include "support/files.h"
#include "tests/experiments/results/sweep_on_disk.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::studies {
namespace {

using run_folder::Status;
using tests::error_message;
using tests::mentions;

TEST_CASE("every norm and placement can be part of the study's own spec") {
  NormsOptions options;
  for (const spec::Choice& choice : spec::norm_placements()) options.placements.push_back(choice.name);
  for (const spec::Choice& choice : spec::norm_types()) options.norms.push_back(choice.name);
  options.study.seeds = 1;
  const spec::SweepSpec sweep = spec::parse_sweep_spec(norms_spec(options), "the study", ".");
  CHECK(sweep.on_divergence == spec::OnDivergence::record);
  const auto runs = spec::plan_runs(sweep);
  CHECK(runs.size() == options.placements.size() * options.norms.size() * 4);
  for (const auto& run : runs) CHECK(run.problems.empty());
}

TEST_CASE("the rate of a noam schedule is its factor") {
  NormsOptions options;
  options.study.set = {"training.schedule.type=noam"};
  CHECK(norms_spec(options)["grid"].contains("training.schedule.factor"));
  CHECK(norms_spec({})["grid"].contains("training.schedule.peak"));
}

TEST_CASE("bad lists are refused") {
  CHECK(mentions(error_message([] {
                   NormsOptions options;
                   options.rates = {1e-3, 0.001};
                   norms_spec(options);
                 }),
                 "--rates", "0.001 stands twice"));
  CHECK(mentions(error_message([] {
                   NormsOptions options;
                   options.placements = {"pots"};
                   norms_spec(options);
                 }),
                 "--placements", "did you mean \"post\"?"));
}

TEST_CASE("the report says where one placement fails and another trains") {
  results::SweepOnDisk sweep;
  sweep.manifest.name = "norms";
  sweep.manifest.metric = "test.exact";
  sweep.manifest.baseline = {{"model.norm.placement", "post"}};
  const auto add = [&](const char* placement, int64_t warmup, int64_t seed, Status status, const char* log) {
    const Json factors = {
        {"model.norm.placement", placement}, {"training.schedule.peak", 0.003}, {"training.schedule.warmup", warmup}};
    run_folder::RunRecord record;
    record.status = status;
    if (status == Status::completed) record.metrics = {{"test.exact", 50.0}};
    sweep.add(factors, seed, record);
    const auto folder = sweep.write() / "runs" / sweep.manifest.runs.back().folder;
    std::filesystem::create_directories(folder / "probes");
    write_file_atomically(folder / "metrics.jsonl", log);
    write_file_atomically(folder / "probes/chance.json", R"({"unigram_loss": 2.0})");
    write_file_atomically(folder / "probes/gradients.json", R"({"measurements": [{"when": "start", "step": 0, "norm": 1,
      "layers": [{"stack": "decoder", "layer": 0, "norms": {"w_2": 0.1}}, {"stack": "decoder", "layer": 1, "norms":
      {"w_2": 0.3}}]}]})");
  };
  const char* stuck = "{\"step\":50,\"valid_loss\":1.9}\n";
  const char* learnt = "{\"step\":50,\"valid_loss\":1.2}\n{\"step\":100,\"valid_loss\":0.9}\n";
  for (int64_t seed = 1; seed <= 3; ++seed) {
    add("post", 0, seed, seed == 1 ? Status::diverged : Status::completed, stuck);
    add("post", 100, seed, Status::completed, seed == 1 ? stuck : learnt);
    add("pre", 0, seed, Status::completed, learnt);
    add("pre", 100, seed, Status::completed, learnt);
  }
  const StudyReport report = report_norms(sweep.write());
  CHECK(mentions(report.text(), "0/3 train, 1 diverged, 2 stuck", "2/3 train, 1 stuck", "3/3 train", "-, 100, 100",
                 "0.1 / 0.3"));
  CHECK(mentions(report.text(),
                 "At rate 0.003 with warm-up 0, post fails in 3 of 3 runs (1 diverged, 2 stuck) and pre "
                 "trains in 3 of 3."));
  CHECK(report.document["findings"].size() == 1);
  CHECK(report.document["cells"][0]["runs"][0]["outcome"] == "diverged");
  CHECK(report.document["cells"][2]["runs"][0]["reached_at_step"] == 100);
  CHECK(report.document["cells"][0]["gradients"]["start"]["decoder"]["w_2"].size() == 2);
  CHECK(mentions(report.section.pictures[0].svg.document(), "0/3 train", "warm-up"));
  CHECK(report_norms(sweep.write(), 1.2).document["cells"][2]["runs"][0]["reached_at_step"] == 50);
}

}  // namespace
}  // namespace attnlab::studies
