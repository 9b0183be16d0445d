// What the verbs do with files and text that are not as they should be.

#include <algorithm>

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

size_t lines_in(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// One file of each kind that cannot be read as one.
void write_unreadable_files(const Shell& shell) {
  shell.write("empty", "");
  shell("mkdir folder; mkfifo pipe; ln -s nowhere dangling");
}

TEST_CASE("files that are none are refused by name, wherever a file is asked for") {
  const Shell shell;
  write_unreadable_files(shell);
  shell.write("text", "a b\n");
  const auto refuses = [&](const std::string& command, const std::string& file, const std::string& reason) {
    const Outcome outcome = shell(command);
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, file, reason));
  };
  refuses("$A plan missing", "missing", "no such file");
  refuses("$A run folder --out out", "folder", "it is a folder");
  refuses("$A train pipe --out out", "pipe", "not a regular file");
  refuses("$A spec resolve empty", "empty", "it is empty");
  refuses("$A tokenizer train dangling --model new.model", "dangling", "link to a file that does not exist");
  refuses("$A tokenizer encode --model text <text", "text", "not a SentencePiece model");
  refuses("$A translate --run text", "text", "a file; expected the folder of a run");
  refuses("$A translate --run folder", "config.json", "not the folder of a run");
  refuses("$A status folder", "manifest.json", "no sweep lies here");
  refuses("$A bench train --batches text", "text", "not an .npz archive");
  CHECK_FALSE(shell.has("out"));
  CHECK_FALSE(shell.has("new.model"));
}

TEST_CASE("words of the command line that do not fit are named") {
  const Shell shell;
  CHECK(mentions(shell("$A statsu x").err, "attnlab: there is no 'statsu'", "did you mean 'status'"));
  CHECK(mentions(shell("$A spec nosuch").err, "there is no 'nosuch' in spec", "schema"));
  CHECK(mentions(shell("$A translate --run x --beam 99999999999").err, "at most 1000, got 99999999999"));
  CHECK(mentions(shell("$A translate --run x --alpha nan").err, "--alpha", "expected a number"));
  CHECK(mentions(shell("$A translate --run x --n-best 0").err, "--n-best: Value 0 not in range"));
  CHECK(mentions(shell("$A attend --run x --pruning --sentence a").err, "belong to --analyse"));
  CHECK(mentions(shell("$A compare norms --out x --rates nan").err, "--rates", "nan"));
  CHECK(mentions(shell("$A compare norms --out x --rates ''").err, "--rates"));
  CHECK(mentions(shell("$A compare norms --out x --warmups 99999999999999999999").err, "--warmups",
                 "too large to be exact"));
  CHECK(mentions(shell("$A compare norms --out x --target-loss nan").err, "--target-loss", "expected a number"));
  CHECK(mentions(shell("$A bench train --device gpu").err, "--device: 'gpu' is no device"));
  CHECK(mentions(shell("touch file; $A run x --out y --cache file").err, "--cache", "file is no folder"));
}

TEST_CASE("slips that people make in specs are understood") {
  const Shell shell;
  shell.write_config();
  CHECK(mentions(shell("$A plan config.json").err, "a key of one run", "under \"base\""));
  shell.write("s.json", R"({"base": {"model": {"positions": "learned"}}})");
  CHECK(mentions(shell("$A plan s.json").err, "did you mean {\"type\": \"learned\"}"));
  shell.write("s.json", R"({"base": {"data": {"generator": "copy"}},
                            "grid": {"model.encoder_positions.max_distance": [4, 8]}})");
  const Outcome idle = shell("$A plan s.json");
  CHECK(idle.exit_code == 2);
  CHECK(mentions(idle.out, "has no effect"));
  CHECK(mentions(shell("$A plan s.json --set seed=1 --sweep seed=1,2").err, "--set seed=1", "give one of them"));
}

TEST_CASE("standard input that cannot be read is an error, not an empty text") {
  const Shell shell;
  shell.write("text", "ab\n");
  REQUIRE(shell("$A tokenizer train text --type char --model m").exit_code == 0);
  const Outcome outcome = shell("mkdir folder; $A tokenizer encode --model m <folder");
  CHECK(is_plain_refusal(outcome));
  CHECK(mentions(outcome.err, "standard input", "Is a directory"));
}

TEST_CASE("tokenizer verbs keep line i line i, and read gzip, CRLF and a byte-order mark") {
  const Shell shell;
  shell.write("text", "ab\u2028ba\nb\u0085a\nb\x0b\x0c a\n");
  REQUIRE(shell("gzip -k text; $A tokenizer train text.gz --type char --model m").exit_code == 0);
  CHECK(lines_in(shell("$A tokenizer encode --model m --input text").out) == 3);
  CHECK(shell("printf '\\357\\273\\277ab\\r\\n' | $A tokenizer encode --model m").out ==
        shell("echo ab | $A tokenizer encode --model m").out);
  CHECK(shell("$A tokenizer encode --model m --input text.gz").out == shell("$A tokenizer encode --model m <text").out);
  const Outcome nul = shell("printf 'a\\000b\\n\\000\\nb\\n' | $A tokenizer encode --model m");
  CHECK(lines_in(nul.out) == 3);
  CHECK(shell("$A tokenizer encode --model m --output ids <text | $A tokenizer decode --model m").out ==
        shell.content("text"));
}

TEST_CASE("bad UTF-8 is replaced and its line is numbered") {
  const Shell shell;
  shell.write("text", "ab\n");
  REQUIRE(shell("$A tokenizer train text --type char --model m").exit_code == 0);
  const Outcome outcome = shell("printf 'a\\n\\342\\200\\n\\377\\nb\\n' | $A tokenizer encode --model m");
  CHECK(outcome.exit_code == 0);
  CHECK(lines_in(outcome.out) == 4);
  CHECK(mentions(outcome.err, "--input", "2 lines", "line 2 is the first"));
}

TEST_CASE("translate answers every line; long and strange ones are cropped with a warning") {
  const Shell shell;
  shell.write_config();
  REQUIRE(shell("$A train config.json --out run -q").exit_code == 0);
  std::string words;
  for (int i = 0; i < 5000; ++i) words += "s1 ";
  shell.write("text", "s1\n" + words + "\n\n\xFF\ns\u2028s\n");
  const Outcome translated = shell("$A translate --run run --input text");
  CHECK(translated.exit_code == 0);
  CHECK(lines_in(translated.out) == 5);
  CHECK(mentions(translated.err, "line 2", "cropped to data.max_pieces = 256", "line 4 is the first"));
  const Outcome likelihood = shell("$A likelihood --run run --source text --target text --format json");
  CHECK(lines_in(likelihood.out) == 5);
  CHECK(mentions(likelihood.err, "--target: line 2", "cropped"));
  shell.write("short", "s1\n");
  CHECK(mentions(shell("$A likelihood --run run --source text --target short").err, "5 lines", "has 1"));

  CHECK(mentions(shell("$A translate --run run --n-best 3 <short").err, "n-best is 3", "beam holds only 2"));
  CHECK(mentions(shell("$A translate --run run --top-p 0 <short").err, "top-p is 0"));
  CHECK(shell("$A translate --run run --top-k 1000 --seed 0 <short").exit_code == 0);
  CHECK(shell("$A translate --run run --threads 100000 <short").exit_code == 2);
  const Outcome stopped = shell("rm run/source.model; $A translate --run run <short");
  CHECK(is_plain_refusal(stopped));
  CHECK(mentions(stopped.err, "--run run", "has not begun"));
}

}  // namespace
}  // namespace attnlab::tests
