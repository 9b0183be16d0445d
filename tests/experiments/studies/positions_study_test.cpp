#include "experiments/studies/positions_study.h"

#include "experiments/spec/plan.h"
#include "experiments/spec/sweep_spec.h"
#include "support/files.h"
#include "tests/experiments/results/sweep_on_disk.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::studies {
namespace {

using tests::mentions;

TEST_CASE("every method can be part of the study's own spec") {
  std::vector<std::string> methods;
  for (const spec::Choice& choice : spec::position_types()) methods.push_back(choice.name);
  const Json document = positions_spec({}, methods);
  const auto runs = spec::plan_runs(spec::parse_sweep_spec(document, "the study", "."));
  CHECK(runs.size() == 5 * methods.size());
  for (const auto& run : runs) CHECK(run.problems.empty());
  CHECK(positions_spec({}, standard_methods())["baseline"]["model.positions.type"] == "sinusoidal");
}

TEST_CASE("the report compares each method with the first over the same seeds") {
  results::SweepOnDisk sweep;
  sweep.manifest.name = "positions";
  sweep.manifest.metric = "test.exact";
  sweep.manifest.baseline = {{"model.positions.type", "sinusoidal"}};
  for (int64_t seed = 1; seed <= 3; ++seed) {
    sweep.add({{"model.positions.type", "sinusoidal"}}, seed,
              {{"test.exact", 90.0 + static_cast<double>(seed)}, {"encodings.offset_error", 1e-12}});
    sweep.add({{"model.positions.type", "none"}}, seed,
              {{"test.exact", 10.0 + 2 * static_cast<double>(seed)}, {"encodings.shuffle_loss_rise", 0.0}});
  }
  const std::filesystem::path& out = sweep.write();
  const auto probe = out / "runs" / sweep.manifest.runs[0].folder / "probes";
  std::filesystem::create_directories(probe);
  write_file_atomically(probe / "lengths.json",
                        R"({"by_position": [{"position": 0, "loss": 0.5}], "by_position_longer": [{"position": 0,
    "loss": 9}, {"position": 1, "loss": 1.5}], "by_source_length": [{"most": 1, "accuracy": 80, "scores": {"exact": 60}},
    {"most": 2, "accuracy": null, "scores": {"exact": 5}}]})");
  const StudyReport report = report_positions(out);
  CHECK(mentions(report.text(), "92.00 ± 1.00 (3)", "14.00 ± 2.00 (3)", "baseline", "-78 [", "1e-12", "Holm"));
  const Json& cells = report.document["cells"];
  REQUIRE(cells.size() == 2);
  CHECK(cells[1]["difference"]["mean"] == -78);
  CHECK(cells[1]["difference"]["n"] == 3);
  CHECK(cells[0]["accuracy_by_length"] == Json::array({{{"most", 1.0}, {"mean", 80.0}}}));
  CHECK(cells[0]["exact_by_length"].size() == 2);
  CHECK(cells[0]["loss_by_position"] ==
        Json::array({{{"position", 0.0}, {"mean", 0.5}}, {{"position", 1.0}, {"mean", 1.5}}}));
  CHECK(report.section.pictures[0].file == "extrapolation_accuracy.svg");
}

}  // namespace
}  // namespace attnlab::studies
