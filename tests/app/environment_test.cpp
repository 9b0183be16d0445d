// What the program does where its surroundings are not as usual: no home, no working folder, no /proc, no room.

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

constexpr const char* kSweep = R"({"base": "config.json", "seeds": 1})";

TEST_CASE("a cache that cannot be written is refused before anything starts") {
  const Shell shell;
  shell.write_config();
  shell.write("spec.json", kSweep);
  shell.write("file", "text\n");
  for (const char* surroundings :
       {"env -u ATTNLAB_CACHE -u XDG_CACHE_HOME HOME=/proc/none", "env -u ATTNLAB_CACHE HOME=/dev/null",
        "env ATTNLAB_CACHE=file", "env ATTNLAB_CACHE=file/below"})
    for (const char* verb : {"train config.json --out out", "run spec.json --out out",
                             "compare positions --spec spec.json --methods none,alibi --out out"}) {
      const Outcome outcome = shell(std::string(surroundings) + " $A " + verb);
      INFO(surroundings << " " << verb << "\n" << outcome.err);
      CHECK(outcome.exit_code == 2);
      CHECK(is_plain_refusal(outcome));
      CHECK(mentions(outcome.err, "--cache", "ATTNLAB_CACHE"));
      CHECK_FALSE(shell.has("out"));
    }
}

TEST_CASE("the cache follows the variables that name an absolute folder") {
  const Shell shell;
  const auto cache_of = [&](const std::string& variables) {
    const std::string help = shell("env -u ATTNLAB_CACHE -u XDG_CACHE_HOME " + variables + " $A train --help").out;
    // "--cache TEXT=folder" or, of a later CLI11, "--cache TEXT [folder]".
    const size_t start = help.find_first_of("=[", help.find("--cache")) + 1;
    return help.substr(start, help.find_first_of(" ]\n", start) - start);
  };
  CHECK(cache_of("HOME=/h") == "/h/.cache/attnlab");
  CHECK(cache_of("HOME=/h XDG_CACHE_HOME=/x") == "/x/attnlab");
  CHECK(cache_of("HOME=/h XDG_CACHE_HOME=x") == "/h/.cache/attnlab");
  CHECK(cache_of("HOME=/h XDG_CACHE_HOME=") == "/h/.cache/attnlab");
  CHECK(cache_of("HOME=/h ATTNLAB_CACHE=own") == "own");
  for (const char* home : {"HOME=", "HOME=h", "-u HOME"}) CHECK(cache_of(home) == ".attnlab-cache");
}

TEST_CASE("a working folder that is gone is one line, whatever is asked") {
  const Shell shell;
  for (const char* command : {"--version", "list", "run spec.json --out out"}) {
    const Outcome outcome = shell(std::string("mkdir gone; cd gone; rmdir ../gone; exec $A ") + command);
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "working folder is gone"));
  }
}

TEST_CASE("a sweep needs no /proc") {
  const Shell shell;
  if (shell("unshare -m mount -t tmpfs none /proc").exit_code != 0) {
    WARN("not tried: this user may not mount");
    return;
  }
  shell.write_config();
  shell.write("spec.json", kSweep);
  const Outcome outcome =
      shell("unshare -m sh -c 'mount -t tmpfs none /proc && exec \"$A\" run spec.json --out out -q -j 1'");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(mentions(shell.content("out/table.md"), "(1)"));
}

TEST_CASE("a limit for files and a full disk are named, with the file") {
  const Shell shell;
  shell.write_config();
  shell.write("spec.json", kSweep);
  const Outcome limited = shell("ulimit -f 20; $A run spec.json --out out -q");
  INFO(limited.err);
  CHECK((limited.exit_code == 1 || limited.exit_code == 2));
  CHECK(mentions(limited.err, "failed", "cannot write '", "ulimit -f"));
  if (shell("unshare -m mount -t tmpfs none /mnt").exit_code != 0) {
    WARN("a full disk was not tried: this user may not mount");
    return;
  }
  const Outcome full = shell(
      "mkdir small; unshare -m sh -c 'mount -t tmpfs -o size=16k none small && exec \"$A\" train config.json --out "
      "small/run'");
  INFO(full.err);
  CHECK(full.exit_code != 0);
  CHECK(mentions(full.err, "small/run", "No space left on device"));
}

TEST_CASE("names that begin with a dash or that a shell would change work and are printed quoted") {
  const Shell shell;
  shell.write_config();
  shell.write("spec.json", kSweep);
  const Outcome run = shell("$A run spec.json --out=-x --cache=-c -q");
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(shell.has("-c"));
  CHECK(mentions(shell("$A export tensorboard -- -x").out, "tensorboard --logdir ./-x/tensorboard\n"));
  CHECK(mentions(shell("mv -- -x \"it's\"; $A report \"it's\" --no-sentence-tests --tensorboard").out,
                 R"(tensorboard --logdir 'it'\''s/tensorboard')"));
}

TEST_CASE("a run that someone else stops leaves the sweep unfinished") {
  const Shell shell;
  shell.write_config();
  shell.write("spec.json", kSweep);
  const Outcome outcome = shell(
      "$A run spec.json --out out --set training.steps=1000000 & p=$!; "
      "until test -s out/runs/*/*/metrics.jsonl; do sleep 0.05; done; kill -TERM $(cat out/runs/*/*/.lock); wait $p");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(mentions(outcome.err, "interrupted", "not by this sweep", "1 run is not finished; the same command continues"));
}

}  // namespace
}  // namespace attnlab::tests
