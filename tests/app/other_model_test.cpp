// A run's folder in which something was exchanged: weights, configuration or tokenizers of another run whose shapes
// fit.

#include <vector>

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

/// Two finished runs on one text, in `one` and `two`, that differ only in their number of heads.
struct TwoRuns {
  Shell shell;

  TwoRuns() {
    shell.write("config.json", R"({"data": {"dir": ".", "source": "en", "target": "de", "train": "t", "valid": "t",
      "test": "t"}, "tokenizer": {"type": "word"}, "model": {"d_model": 8, "heads": 1, "d_ff": 8, "layers": 1},
      "training": {"steps": 2, "batch_tokens": 100, "device": "cpu"}, "decoding": {"beam": 1, "max_length_extra": 3}})");
    shell.write("t.en", "a b\nb a\n");
    shell.write("t.de", "a b\nb a\n");
    REQUIRE(shell("$A train config.json --out one -q").exit_code == 0);
    REQUIRE(shell("$A train config.json --out two -q --set model.heads=2").exit_code == 0);
  }

  /// Every verb that opens a trained run.
  std::vector<Outcome> open(const std::string& run) const {
    return {shell("$A translate --run " + run + " --input t.en"),
            shell("$A likelihood --run " + run + " --source t.en --target t.de"),
            shell("$A attend --run " + run + " --sentence 'a b' --format csv --out maps -q")};
  }
};

TEST_CASE("a run that was left alone opens without a word on stderr") {
  const TwoRuns runs;
  for (const Outcome& outcome : runs.open("two")) {
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
  }
  CHECK(runs.shell("$A compare runs one two --samples 10").exit_code == 0);
}

TEST_CASE("the state of another run is not trained on") {
  const TwoRuns runs;
  runs.shell("rm two/checkpoints/*; cp one/checkpoints/state-2.safetensors two/checkpoints/; rm two/run.json");
  const Outcome outcome = runs.shell("$A train two/config.json --out two -q");
  CHECK(is_plain_refusal(outcome));
  CHECK(mentions(outcome.err, "two/checkpoints/state-2.safetensors", "model.heads: 1 there, 2 here", "back"));
}

TEST_CASE("the weights of another run are not opened") {
  const TwoRuns runs;
  runs.shell("cp one/checkpoints/best.safetensors two/checkpoints/");
  for (const Outcome& outcome : runs.open("two")) {
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "two/checkpoints/best.safetensors", "model.heads: 1 there, 2 here", "back"));
  }
}

TEST_CASE("a finished run whose configuration was edited is not opened, compared or called done") {
  const TwoRuns runs;
  runs.shell("sed -i 's/\"heads\": 2/\"heads\": 4/' two/config.json");
  for (const Outcome& outcome : runs.open("two")) {
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "two/checkpoints/best.safetensors", "model.heads: 2 there, 4 here", "back"));
  }
  for (const char* command : {"$A compare runs one two", "$A train two/config.json --out two -q"}) {
    const Outcome outcome = runs.shell(command);
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "two/config.json was changed after the run began", "two/run.json", "back"));
  }
}

TEST_CASE("another tokenizer of the same size is not used") {
  const TwoRuns runs;
  // As many words, and as often: the model has the same size, and all its ids mean something else.
  runs.shell("sed 'y/ab/xy/' t.en >u.en; $A tokenizer train u.en --type word --model other.model");
  for (const char* side : {"source", "target"}) {
    INFO(side);
    runs.shell(std::string("cp two/") + side + ".model kept; cp other.model two/" + side + ".model");
    for (const Outcome& outcome : runs.open("two")) {
      CHECK(is_plain_refusal(outcome));
      CHECK(mentions(outcome.err, "two/checkpoints/best.safetensors", "other tokenizers", "source.model", "back"));
    }
    runs.shell(std::string("cp kept two/") + side + ".model");
  }
  for (const Outcome& outcome : runs.open("two")) CHECK(outcome.exit_code == 0);
}

TEST_CASE("a bit flipped in the cached tokenizer is noticed before it is used") {
  const TwoRuns runs;
  const std::string model = runs.shell("ls cache/*.model | tr -d '\\n'").out;
  const std::string good = runs.shell.content(model);
  std::string flipped = good;
  flipped[good.find("\xE2\x96\x81"
                    "a") +
          3] = 'c';  // the word a becomes c
  runs.shell.write(model, flipped);
  const Outcome outcome = runs.shell("$A train config.json --out three -q");
  CHECK(outcome.exit_code == 0);
  CHECK(mentions(outcome.err, model, "damaged", "trained again"));
  CHECK(runs.shell.content(model) == good);
  CHECK(runs.shell.content("three/metrics.jsonl").substr(0, 60) ==
        runs.shell.content("one/metrics.jsonl").substr(0, 60));
}

TEST_CASE("the record of another run is no result") {
  const Shell shell;
  shell.write("s.json",
              R"({"base": {"data": {"generator": "copy", "train_pairs": 60, "valid_pairs": 4, "test_pairs": 4},
    "tokenizer": {"type": "word"}, "model": {"d_model": 8, "d_ff": 8, "layers": 1},
    "training": {"steps": 2, "batch_tokens": 100, "device": "cpu"}, "decoding": {"beam": 1, "max_length_extra": 3}},
    "grid": {"model.heads": [1, 2]}})");
  REQUIRE(shell("$A run s.json --out out -q --no-sentence-tests").exit_code == 0);
  shell("cp out/runs/heads=1-*/seed=1/run.json out/runs/heads=2-*/seed=1/");
  CHECK(mentions(shell("$A status out").out, "1 of 2 completed, 1 failed", "is the record of another run"));
  CHECK(mentions(shell("$A table out").out, "failed: ", "is the record of another run"));
  const Outcome again = shell("$A run s.json --out out -q");
  CHECK(again.exit_code == 2);
  CHECK(mentions(again.err, "is the record of another run", "seed 1", "remove the run's folder"));
}

}  // namespace
}  // namespace attnlab::tests
