// The report of a sweep, from the command line.

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

TEST_CASE("run writes the report, report writes it again, export writes event files") {
  const Shell shell;
  shell.write_config();
  shell.write(
      "spec.json",
      R"({"name": "tiny", "base": "config.json", "grid": {"model.d_ff": [8, 16]}, "baseline": {"model.d_ff": 8}})");
  const Outcome run = shell("$A run spec.json --out out -q -j 1");
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(mentions(run.out, "Report: out/report.html"));
  const std::string page = shell.content("out/report.html");
  CHECK(mentions(page, "What does <b><bdi>d_ff</bdi></b> do to <bdi>BLEU</bdi>?", "Differences by sentence"));
  CHECK(shell.has("out/figures/cells.svg"));
  CHECK(shell.has("out/sentence_tests.json"));

  const Outcome report = shell("rm out/report.html; $A report out --no-sentence-tests --tensorboard");
  CHECK(report.exit_code == 0);
  CHECK(mentions(report.out, "out/report.html", "out/tensorboard (2 runs"));
  CHECK_FALSE(mentions(shell.content("out/report.html"), "Differences by sentence"));
  CHECK(mentions(shell("$A export tensorboard out --to events").out, "2 runs"));
  CHECK(shell.has("events"));
}

TEST_CASE("a folder without a sweep has no report") {
  const Shell shell;
  for (const char* command : {"$A report nowhere", "$A export tensorboard nowhere"}) {
    const Outcome outcome = shell(command);
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "nowhere"));
  }
}

}  // namespace
}  // namespace attnlab::tests
