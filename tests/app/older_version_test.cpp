// What an older version wrote stays good. data/version-0.1.0.tar.gz was written by commit c0fbd9b, before checkpoints
// said what they belong to:
// - run/: `attnlab train` of a copy task with one thread, interrupted after step 71 of 300;
// - continued.txt: step and loss of the next 20 steps, by the same program;
// - sweep/: a finished sweep of two cells, only with the weights that are tested;
// - likelihood.txt: `attnlab likelihood` of the references of its cell heads=2, by the same program.

#include <map>
#include <sstream>

#include "support/json.h"
#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

constexpr const char* kRun = "sweep/runs/heads=2-40b6e8b1/seed=1";

/// A copy of the folders.
struct OlderFolders {
  Shell shell;

  OlderFolders() { REQUIRE(shell("tar xzf '" ATTNLAB_TESTS_DIR "/app/data/version-0.1.0.tar.gz'").exit_code == 0); }
};

TEST_CASE("an older run is translated with and scored, and its missing identity is said once") {
  const OlderFolders old;
  const std::string run(kRun);
  const Outcome translated = old.shell("$A translate --run " + run + " --input " + run + "/references.txt");
  CHECK(translated.exit_code == 0);
  CHECK(translated.out == old.shell.content(run + "/translations.txt"));
  CHECK(mentions(translated.err, "attnlab: warning: ", "best.safetensors", "older version"));
  CHECK(translated.err.find('\n') == translated.err.size() - 1);

  const Outcome scored = old.shell("$A likelihood --run " + run + " --source " + run + "/references.txt --target " +
                                   run + "/references.txt");
  CHECK(scored.exit_code == 0);
  std::istringstream expected(old.shell.content("likelihood.txt")), found(scored.out);
  int lines = 0;
  for (std::string before, now; std::getline(expected, before) && std::getline(found, now); ++lines)
    CHECK(std::stod(now) == Approx(std::stod(before)).epsilon(1e-3));
  CHECK(lines == 8);
}

TEST_CASE("an older run that was interrupted goes on as it would have") {
  const OlderFolders old;
  const Outcome outcome = old.shell("$A train run/config.json --out run");
  CHECK(outcome.exit_code == 0);
  CHECK(mentions(outcome.err, "older version", "continuing after step 71"));
  std::istringstream log(old.shell.content("run/metrics.jsonl")), expected(old.shell.content("continued.txt"));
  std::map<int64_t, double> losses;
  for (std::string line; std::getline(log, line);) {
    const Json entry = parse_json(line, "metrics.jsonl");
    if (entry.contains("loss")) losses[entry["step"].get<int64_t>()] = entry["loss"].get<double>();
  }
  CHECK(losses.size() == 300);
  int64_t step = 0;
  for (double loss = 0; expected >> step >> loss;) {
    INFO("step " << step);
    CHECK(losses.at(step) == Approx(loss).epsilon(1e-3));
  }
  CHECK(step == 91);
  const Outcome again = old.shell("$A translate --run run --input run/references.txt");
  CHECK(again.exit_code == 0);
  CHECK(again.err.empty());
}

TEST_CASE("an older sweep is listed, reported and done") {
  const OlderFolders old;
  const Outcome table = old.shell("$A table sweep");
  CHECK(table.exit_code == 0);
  CHECK(mentions(table.out, "|     1 | **100.00 (1)** |", "|     2 | **100.00 (1)** | baseline |"));
  CHECK(mentions(old.shell("$A status sweep").out, "2 of 2"));
  const Outcome report = old.shell("$A report sweep");
  CHECK(report.exit_code == 0);
  CHECK(mentions(old.shell.content("sweep/report.html"), "heads", "1.045"));
  CHECK(old.shell("$A compare runs sweep/runs/heads=1-433f9268/seed=1 " + std::string(kRun) + " --samples 10")
            .exit_code == 0);

  const std::string record = old.shell.content(std::string(kRun) + "/run.json");
  const Outcome again = old.shell("$A run sweep/spec.json --out sweep -q");
  CHECK(again.exit_code == 0);
  CHECK(old.shell.content(std::string(kRun) + "/run.json") == record);
  CHECK_FALSE(old.shell.has("sweep/spec.1.json"));
}

}  // namespace
}  // namespace attnlab::tests
