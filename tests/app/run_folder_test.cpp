// What `attnlab train` does with a folder that is in use, was damaged, or belongs to other data.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

TEST_CASE("two trainings never share a folder") {
  const Shell shell;
  shell.write_config();
  shell("mkdir run");
  const int lock = ::open((shell.path() / "run/.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  REQUIRE(::flock(lock, LOCK_EX) == 0);
  const Outcome outcome = shell("$A train config.json --out run");
  ::close(lock);
  CHECK(outcome.exit_code == 2);
  CHECK(is_plain_refusal(outcome));
  CHECK(mentions(outcome.err, "'run' is in use by another attnlab"));
  CHECK_FALSE(shell.has("run/config.json"));
}

TEST_CASE("a run does not go on with other data or another configuration") {
  const Shell shell;
  shell.write_config(R"({"dir": ".", "source": "en", "target": "de", "train": "t", "valid": "t", "test": "t"})");
  shell.write("t.en", "ab\nba\n");
  shell.write("t.de", "AB\nBA\n");
  REQUIRE(shell("$A train config.json --out run -q").exit_code == 0);
  shell("sed -i s/completed/interrupted/ run/run.json");
  shell.write("t.de", "AB\nAA\n");
  const Outcome changed = shell("$A train config.json --out run -q");
  CHECK(is_plain_refusal(changed));
  CHECK(mentions(changed.err, "data", "changed since this run started"));
  shell.write("t.de", "AB\nBA\n");
  CHECK(shell("$A train config.json --out run -q").exit_code == 0);
  const Outcome other = shell("$A train config.json --out run --set training.steps=3");
  CHECK(is_plain_refusal(other));
  CHECK(mentions(other.err, "another configuration (training.steps: 2 there, 3 here", "config.json", "another --out"));
}

TEST_CASE("a run goes on with the tokenizers that it began with, though others would be trained now") {
  const Shell shell;
  shell.write_config(R"({"dir": ".", "source": "en", "target": "de", "train": "t", "valid": "t", "test": "t"})");
  shell.write("t.en", "ab\nba\n");
  shell.write("t.de", "AB\nBA\n");
  REQUIRE(shell("$A train config.json --out other -q --set tokenizer.type=word").exit_code == 0);
  REQUIRE(shell("$A train config.json --out run -q --set tokenizer.type=char").exit_code == 0);
  REQUIRE(shell("cmp run/source.model other/source.model").exit_code != 0);
  shell("cp other/*.model run; rm run/checkpoints/*");
  shell(
      "of() { grep '\"tokenizers\"' $1/run.json | grep -o '[0-9a-f]\\{64\\}'; };"
      "sed -i \"s/completed/interrupted/; s/$(of run)/$(of other)/\" run/run.json");
  CHECK(shell("$A train config.json --out run -q --set tokenizer.type=char").exit_code == 0);
  CHECK(shell("cmp run/source.model other/source.model").exit_code == 0);
}

TEST_CASE("a configuration that failed before any training may be mended in its folder") {
  const Shell shell;
  shell.write_config(R"({"dir": ".", "train": "t", "valid": "missing", "test": "t"})");
  shell.write("t.en", "ab\nba\n");
  shell.write("t.de", "AB\nBA\n");
  CHECK(shell("$A train config.json --out run -q").exit_code != 0);
  CHECK(shell("$A train config.json --out run -q --set data.valid=t").exit_code == 0);
}

TEST_CASE("a folder is a sweep's or a run's, never both, and has a name") {
  const Shell shell;
  shell.write_config();
  shell.write("sweep.json", R"({"base": )" + shell.content("config.json") + "}");
  REQUIRE(shell("$A train config.json --out run -q").exit_code == 0);
  REQUIRE(shell("$A run sweep.json --out sweep -q").exit_code == 0);
  CHECK(mentions(shell("$A train config.json --out sweep").err, "folder of a sweep"));
  CHECK(mentions(shell("$A run sweep.json --out run").err, "folder of one run"));
  CHECK(mentions(shell("$A train config.json --out ''").err, "--out", "got nothing"));
  const Outcome again = shell("$A run sweep.json --out sweep --set training.steps=1");
  CHECK(mentions(again.err, "1 run of another version of this spec"));
}

TEST_CASE("damaged records are named, damaged logs are passed over") {
  const Shell shell;
  shell.write_config();
  REQUIRE(shell("$A train config.json --out run -q").exit_code == 0);
  shell.write("run/run.json", "{\"status\": 3}");
  const Outcome record = shell("$A train config.json --out run");
  CHECK(is_plain_refusal(record));
  CHECK(mentions(record.err, "run/run.json", "not a record of a run", "delete the file"));
  shell("rm run/run.json");
  shell.write("run/metrics.jsonl", "{\"step\": \"one\"}\n[1]\nhalf a li");
  CHECK(shell("$A train config.json --out run -q").exit_code == 0);
  shell("rm run/run.json; for f in run/checkpoints/state-*; do head -c 100 $f >cut; cp cut $f; done");
  const Outcome state = shell("$A train config.json --out run -q");
  CHECK(is_plain_refusal(state));
  CHECK(mentions(state.err, "cannot resume", "state-2.safetensors", "damaged", "Remove the folder"));
}

TEST_CASE("a run's record names the layout of its sinusoids and rotations") {
  const Shell shell;
  shell.write_config();
  const auto record = [&](const std::string& folder, const std::string& changes) {
    REQUIRE(shell("$A train config.json --out " + folder + " -q " + changes).exit_code == 0);
    return shell("cat " + folder + "/run.json").out;
  };
  const std::string paper = record("paper", "--set model.positions.type=sinusoidal");
  CHECK(mentions(paper, "\"sinusoid_layout\": \"interleaved (section 3.5 of the paper)\""));
  CHECK_FALSE(mentions(paper, "rotary_layout"));
  const std::string mixed =
      record("mixed",
             "--set model.encoder_positions.type=hybrid --set model.encoder_positions.layout=halves "
             "--set model.decoder_positions.type=rotary --set model.decoder_positions.base=500");
  CHECK(mentions(mixed, "\"sinusoid_layout\": \"halves (sines, then cosines, of the paper's angles)\"",
                 "\"rotary_layout\": \"interleaved (elements 2i and 2i+1), base 500\""));
  CHECK_FALSE(mentions(record("none", "--set model.positions.type=alibi"), "layout"));
}

TEST_CASE("a second interrupt ends a training at once") {
  const Shell shell;
  shell.write_config(R"({"generator": "copy", "train_pairs": 60, "valid_pairs": 4, "test_pairs": 200000})");
  const Outcome outcome = shell(
      "$A train config.json --out run & p=$!; "
      "until grep -q reading .err; do sleep 0.05; done; kill -INT $p; kill -INT $p; sleep 0.25; kill -INT $p; wait $p");
  CHECK(outcome.exit_code == 130);
  // One interrupt would have waited for the data and then recorded it.
  CHECK(mentions(shell.content("run/run.json"), "\"running\""));
}

}  // namespace
}  // namespace attnlab::tests
