// The two studies in a form that takes seconds: what they write, that their spec reproduces them, what they refuse.

#include <cmath>

#include "support/json.h"
#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

/// Makes any study small.
const std::string kTiny =
    " --seeds 2 -q -j 1 --set training.steps=4 --set training.validate_every=2 --set training.device=cpu"
    " --set data.train_pairs=100 --set data.valid_pairs=6 --set data.test_pairs=6 --set training.batch_tokens=100"
    " --set model.d_model=8 --set model.heads=1 --set model.d_ff=8 --set model.layers=1 ";

Json json_of(const Shell& shell, const std::string& name) {
  return parse_json(shell.content(name), name);
}

TEST_CASE("compare positions trains, probes and compares, and its spec finds everything done", "[slow]") {
  const Shell shell;
  const Outcome outcome = shell("$A compare positions --methods sinusoidal,none --out out" + kTiny);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(mentions(outcome.out, "sinusoidal", "baseline", "offset error", "t interval", "out/comparison.md"));
  for (const char* name : {"out/spec.json", "out/comparison.md", "out/comparison.json", "out/results.csv",
                           "out/extrapolation_accuracy.svg", "out/extrapolation_exact.svg", "out/position_loss.svg",
                           "out/offset_error.svg", "out/similarity_sinusoidal.svg", "out/report.html"})
    CHECK(shell.has(name));
  CHECK(mentions(shell.content("out/report.html"), "<section id=\"study\"", "Exact sentences by source length",
                 "offset error", "Offset probe: is PE(p+k) a linear function of PE(p)?"));
  const Json comparison = json_of(shell, "out/comparison.json");
  REQUIRE(comparison["cells"].size() == 2);
  const Json& metrics = comparison["cells"][0]["metrics"];
  CHECK(metrics["encodings.offset_error"]["mean"].get<double>() <= 2e-6);
  CHECK(metrics.contains("lengths.to_4x.accuracy"));
  CHECK(std::abs(comparison["cells"][1]["metrics"]["encodings.shuffle_loss_rise"]["mean"].get<double>()) < 1e-5);
  CHECK(mentions(shell.content("out/results.csv"), "encodings.offset_error", "lengths.within.exact"));
  CHECK(shell("test -s out/runs/*sinusoidal*/seed=2/probes/lengths.json && test -s "
              "out/runs/*sinusoidal*/seed=1/probes/encodings.svg")
            .exit_code == 0);

  shell("find out/runs -name run.json | sort | xargs sha256sum >before");
  REQUIRE(shell("$A run out/spec.json --out out -q").exit_code == 0);
  CHECK(shell("sha256sum -c --quiet before").exit_code == 0);
  CHECK(shell("$A run out/spec.json --out again -q -j 1").exit_code == 0);
  CHECK(shell("for f in out/runs/*/*/probes/*.json; do cmp $f again/${f#out/} || exit 1; done").exit_code == 0);
}

TEST_CASE("compare norms records what fails, and its spec finds everything done", "[slow]") {
  const Shell shell;
  const Outcome outcome = shell("$A compare norms --rates 0.001,1e8 --warmups 0,2 --out out" + kTiny);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(mentions(outcome.out, "post", "pre", "diverged", "unigram loss", "1 + 1 layers", "W_2"));
  for (const char* name :
       {"out/comparison.json", "out/outcomes.svg", "out/gradients_start.svg", "out/gradients_warm.svg"})
    CHECK(shell.has(name));
  const Json comparison = json_of(shell, "out/comparison.json");
  REQUIRE(comparison["cells"].size() == 8);
  CHECK(comparison["cells"][0]["gradients"]["start"]["decoder"]["cross_attention"].size() == 1);
  CHECK(mentions(shell.content("out/results.csv"), "gradients.start.w_2_last", "chance.unigram_loss"));
  CHECK(mentions(shell.content("out/report.html"), "<section id=\"study\"", "Runs that train, by learning rate"));
  shell("rm out/report.html");
  REQUIRE(shell("$A report out").exit_code == 0);
  CHECK(mentions(shell.content("out/report.html"), "<section id=\"study\""));
  shell("cp -r out damaged; for f in damaged/runs/*/seed=1/probes/gradients.json; do echo '{}' >$f; done");
  const Outcome damaged = shell("$A report damaged");
  CHECK(damaged.exit_code == 0);
  CHECK(mentions(damaged.err, "'damaged'", "probes/*.json", "measurements", "no comparison"));
  shell.write("out/comparison.json", "{}");
  CHECK(mentions(shell("$A report out").err, "out/comparison.json", "\"study\"", "got null", "no comparison"));
  shell("rm out/comparison.json");
  shell("find out/runs -name run.json | sort | xargs sha256sum >before");
  REQUIRE(shell("$A run out/spec.json --out out -q").exit_code == 0);
  CHECK(shell("sha256sum -c --quiet before").exit_code == 0);
}

TEST_CASE("the studies refuse what they cannot compare") {
  const Shell shell;
  const auto refuses = [&](const std::string& arguments, const std::string& part) {
    const Outcome outcome = shell("$A compare " + arguments);
    INFO(arguments << ": " << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(mentions(outcome.err, part));
    CHECK_FALSE(shell.has("out"));
  };
  refuses("positions --methods sinusodial,none --out out", "did you mean \"sinusoidal\"?");
  refuses("positions --methods none,none --out out", "\"none\" stands twice");
  refuses("positions --methods none --out out", "at least 2");
  refuses("positions --methods none,rotary", "--out is required");
  refuses("positions --out out --spec missing.json", "missing.json");
  refuses("positions --out out --set model.positions.type=none", "model.positions.type");
  refuses("positions --out out --seeds 0", "--seeds");
  refuses("norms --placements post,post --out out", "\"post\" stands twice");
  refuses("norms --norms norm --out out", "--norms");
  refuses("norms --warmups -1 --out out", "--warmups: expected a whole number of at least 0");
  refuses("norms --rates 0 --out out", "--rates: expected a number above 0");
  refuses("norms", "--out is required");
}

}  // namespace
}  // namespace attnlab::tests
