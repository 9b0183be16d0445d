#include "experiments/results/curves.h"

#include "tests/experiments/results/sweep_on_disk.h"
#include "tests/support/catch.h"

namespace attnlab::results {
namespace {

constexpr const char* kLog =
    "{\"step\":1,\"loss\":4.0}\n{\"step\":2,\"loss\":3.0}\n{\"step\":2,\"valid_loss\":3.5,\"best\":true}\n"
    "{\"step\":3,\"loss\":null}\n{\"step\":4,\"loss\":2.0}\n{\"step\":5,\"loss\":1.0}\n{\"step\":5,\"valid_lo";

TEST_CASE("A log becomes curves, without what is cut or not finite", "[results]") {
  const tests::TemporaryFolder folder;
  folder.write("metrics.jsonl", kLog);
  const auto curves = read_curves(folder.path(), 1);
  CHECK(curves.train == Curve{{1, 4}, {2, 3}, {4, 2}, {5, 1}});
  CHECK(curves.valid == Curve{{2, 3.5}});
  CHECK(read_curves(folder.path(), 2).train == Curve{{2, 3.5}, {4, 2}, {5, 1}});
  CHECK(read_curves(folder.path() / "nowhere", 1).train.empty());
}

TEST_CASE("Means are over the steps that all runs have", "[results]") {
  const auto mean = average({{{1, 4}, {2, 3}, {3, 1}}, {{1, 6}, {3, 2}, {4, 1}}});
  CHECK(mean.steps == std::vector<int64_t>{1, 3});
  CHECK(mean.mean == std::vector<double>{5, 1.5});
  CHECK(mean.low == std::vector<double>{4, 1});
  CHECK(mean.high == std::vector<double>{6, 2});
  CHECK(average({}).steps.empty());
}

TEST_CASE("Completed runs of a cell are one line, the others one each", "[results]") {
  SweepOnDisk sweep;
  const Json factors = {{"heads", 1}};
  sweep.add(factors, 1, {{"test.bleu", 1.0}});
  sweep.add(factors, 2, {{"test.bleu", 2.0}});
  run_folder::RunRecord diverged;
  diverged.status = run_folder::Status::diverged;
  sweep.add(factors, 3, diverged);
  sweep.add(factors, 4, run_folder::RunRecord{});
  sweep.log(0, "{\"step\":1,\"loss\":2}\n{\"step\":2,\"loss\":1}\n");
  sweep.log(1, "{\"step\":1,\"loss\":4}\n{\"step\":2,\"loss\":3}\n");
  sweep.log(2, "{\"step\":1,\"loss\":9}\n{\"step\":2,\"loss\":null}\n");
  const auto& out = sweep.write();
  const auto curves = collect_curves(out, collect(out));
  REQUIRE(curves.lines.size() == 2);
  CHECK(curves.window == 1);
  CHECK(curves.lines[0].runs == 2);
  CHECK(curves.lines[0].train.mean == std::vector<double>{3, 2});
  CHECK(curves.lines[1].unfinished == "seed 3 diverged");
  CHECK(curves.lines[1].train.steps == std::vector<int64_t>{1});
}

}  // namespace
}  // namespace attnlab::results
