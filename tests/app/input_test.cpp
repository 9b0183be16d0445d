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
  refuses("$A status text", "text", "a file; expected a sweep's --out folder");
  refuses("$A bench train --batches missing", "--batches: ", "missing");
  refuses("$A bench train --batches text", "text", "not an .npz archive");
  CHECK_FALSE(shell.has("out"));
  CHECK_FALSE(shell.has("new.model"));
}

TEST_CASE("words of the command line that do not fit are named") {
  const Shell shell;
  CHECK(mentions(shell("$A statsu x").err, "attnlab: there is no 'statsu'", "did you mean 'status'"));
  CHECK(mentions(shell("$A spec nosuch").err, "there is no 'nosuch' in spec", "schema"));
  CHECK(mentions(shell("$A --foo").err, "attnlab does not know: --foo", "--help"));
  CHECK(mentions(shell("$A translate --run x --inpt s.txt").err, "attnlab translate does not know: --inpt s.txt",
                 "did you mean --input?"));
  CHECK(shell("$A help plan").out == shell("$A plan --help").out);
  CHECK(shell("$A help").out == shell("$A --help").out);
  CHECK(mentions(shell("$A translate --run x --beam 99999999999").err, "at most 1000, got 99999999999"));
  CHECK(mentions(shell("$A translate --run x --alpha nan").err, "--alpha", "expected a number"));
  CHECK(mentions(shell("$A translate --run x --n-best 0").err,
                 "--n-best: expected a whole number from 1 to 1000000000, got 0"));
  CHECK(mentions(shell("$A compare norms --out x --rates nan").err, "--rates", "nan"));
  CHECK(mentions(shell("$A compare norms --out x --rates ''").err, "--rates"));
  CHECK(mentions(shell("$A compare norms --out x --warmups 99999999999999999999").err, "--warmups",
                 "too large to be exact"));
  CHECK(mentions(shell("$A compare norms --out x --target-loss nan").err, "--target-loss", "expected a number"));
  CHECK(mentions(shell("$A bench train --device gpu").err, "--device: 'gpu' is no device"));
  CHECK(mentions(shell("touch file; $A run x --out y --cache file").err, "--cache", "file is no folder"));
}

TEST_CASE("numbers of options are read in one way, and refused in one wording") {
  const Shell shell;
  const auto refuses = [&](const std::string& command, const std::string& words) {
    const Outcome outcome = shell("$A " + command);
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(mentions(outcome.err, words));
  };
  for (const std::string text : {"1.5", "0x10", "nan", "inf", "+5", "1e999", "' 1'", "'1 '", "-1", "''"}) {
    const std::string bare = text == "''" ? "nothing" : text.front() == '\'' ? text.substr(1, 2) : text;
    const std::string got = ", got " + bare + "\n";
    refuses("translate --run x --n-best " + text, "--n-best: expected a whole number from 1 to 1000000000" + got);
    refuses("translate --run x --beam " + text, "--beam: expected a whole number of at least 1 and at most 1000" + got);
    refuses("translate --run x --threads " + text, "--threads: expected a whole number from 1 to 1024" + got);
    refuses("compare runs a b --samples " + text, "--samples: expected a whole number from 2 to 10000000" + got);
    refuses("compare runs a b --seed " + text, "--seed: expected a whole number from 1 to 9223372036854775807" + got);
  }
  refuses("translate --run x --temperature 0x1p3", "--temperature: expected a number from 1e-06 to 1000000, got 0x1p3");
  for (const char* option : {"--beam 1e2", "--n-best 1e3", "--batch-sentences 1e3", "--min-length 1e1", "--top-p .5"})
    refuses(std::string("translate --run nowhere ") + option, "nowhere: no such folder");
  shell.write_config();
  const Outcome set = shell("$A spec resolve config.json --set model.heads=+5");
  CHECK(mentions(set.err, "got the text \"+5\""));
  CHECK_FALSE(mentions(set.err, "quotes"));
}

TEST_CASE("whole numbers written with an exponent are those numbers") {
  const Shell shell;
  shell.write("text", "ab\n");
  CHECK(mentions(shell("$A tokenizer train text --model m --vocab-size 1e3").out, "(--vocab-size 1000)"));
}

TEST_CASE("an empty name is refused wherever a name is asked for") {
  const Shell shell;
  for (const char* command :
       {"plan ''", "run '' --out x", "train '' --out x", "status ''", "table ''", "report ''", "spec resolve ''",
        "translate --run ''", "translate --run x --input ''", "likelihood --run x --source '' --target y",
        "attend --run x --out ''", "export tensorboard x --to ''", "compare runs a ''", "tokenizer train '' --model m",
        "tokenizer encode --model ''", "tokenizer decode --model m --input ''"}) {
    const Outcome outcome = shell(std::string("$A ") + command);
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(mentions(outcome.err, "expected a name, got nothing"));
  }
}

TEST_CASE("options that cannot be together are refused") {
  const Shell shell;
  CHECK(mentions(shell("$A translate --run x --no-unk --allow-unk").err, "--no-unk", "excludes", "--allow-unk"));
  for (const char* flag : {"--no-unk=7", "--allow-unk=-1"})
    CHECK(shell(std::string("$A translate --run nowhere ") + flag).err.find("nowhere") == std::string::npos);
  CHECK(mentions(shell("$A likelihood --run x --source - --target -").err, "--source and --target: only one"));
  CHECK(mentions(shell("$A tokenizer train - - --model m").err, "only one of them can be the standard input"));
  CHECK(mentions(shell("$A bench decode --run x --input -").err, "--input: the `run N` lines come from"));
}

TEST_CASE("data takes the name of a generator, once") {
  const Shell shell;
  CHECK(shell("$A data copie --out c").err ==
        "attnlab: 'copie' is no generator: one of copy, reverse, sort, pronouns; did you mean 'copy'?\n");
  CHECK(mentions(shell("$A data '' --out c").err, "attnlab: '' is no generator: one of copy"));
  CHECK(mentions(shell("$A data copy --out c --set data.generator=reverse").err, "--set data.generator", "leave this"));
  CHECK_FALSE(shell.has("c"));
  CHECK(shell("$A data copy --out c --set data.train_pairs=5").exit_code == 0);
  CHECK(shell.has("c/test.align"));
  CHECK_FALSE(shell.has("c/test.antecedent"));
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
  CHECK(mentions(shell("$A plan s.json --sweep seed=1,2 --sweep seed=3").err,
                 "--sweep seed=1,2 and --sweep seed=3: give one of them"));
}

TEST_CASE("plan tells data that are not there yet from data that cannot be used") {
  const Shell shell;
  shell.write("s.json", R"({"base": {"data": {"dir": ".", "source": "en", "target": "de", "train": "t", "valid": "t",
    "test": "t"}, "model": {"d_model": 8, "heads": 1, "d_ff": 8, "layers": 1}}})");
  const Outcome missing = shell("$A plan s.json");
  CHECK(missing.exit_code == 0);
  CHECK(mentions(missing.out, "Missing, so that `attnlab run` would start nothing yet"));
  shell.write("t.en", "a\nb\n");
  shell.write("t.de", "a\n");
  const Outcome unequal = shell("$A plan s.json");
  CHECK(unequal.exit_code == 2);
  CHECK(mentions(unequal.out, "Not usable, so that `attnlab run` would start nothing"));
}

TEST_CASE("a vocabulary that the text cannot have is known before the first run starts") {
  const Shell shell;
  shell.write("s.json",
              R"({"base": {"data": {"generator": "copy", "train_pairs": 60, "valid_pairs": 4, "test_pairs": 4},
    "tokenizer": {"vocab_size": 5}, "model": {"d_model": 8, "heads": 1, "d_ff": 8, "layers": 1},
    "training": {"steps": 2, "batch_tokens": 100, "device": "cpu"}, "decoding": {"beam": 1}},
    "grid": {"tokenizer.type": ["word", "bpe", "unigram"]}})");
  const Outcome outcome = shell("$A run s.json --out out -q");
  CHECK(outcome.exit_code == 2);
  CHECK(mentions(outcome.err, "nothing was started", "tokenizer=bpe: tokenizer.vocab_size: 5 cannot hold",
                 "tokenizer=unigram: ", "the smallest value that works is"));
  CHECK_FALSE(shell.has("out"));
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
  CHECK(mentions(nul.err, "NUL", "2 lines", "line 1 is the first"));
  CHECK(shell("$A tokenizer encode --model m --output ids <text | $A tokenizer decode --model m").out ==
        "ab\u2028ba\nb\u0085a\nb a\n");
  CHECK(mentions(shell("printf '1\\nx\\n' | $A tokenizer decode --model m").err,
                 "--input: the standard input:2: 'x' is no"));
  CHECK(shell("printf '\\n \\n\\t\\n' | $A tokenizer encode --model m").out == "\n\n\n");
}

TEST_CASE("text that tokenizers cannot keep is said or refused, never dropped without a word") {
  const Shell shell;
  shell.write("text", "ab \u2585\nb\u2585\n");
  const Outcome trained = shell("$A tokenizer train text --type char --model m");
  CHECK(trained.exit_code == 0);
  CHECK(mentions(trained.err, "U+2585 in 2 lines, line 1 is the first"));
  CHECK(shell("echo b a | $A tokenizer encode --model m --output ids | $A tokenizer decode --model m").out == "b a\n");
  CHECK(mentions(shell("printf 'a\\nb\\342\\226\\201a\\n' | $A tokenizer encode --model m").err,
                 "--input: the standard input: U+2581 in 1 line, line 2 is the first"));
  shell.write("only", "\u2585\n\u2585\u2585\n");
  const Outcome refused = shell("$A tokenizer train only --model none");
  CHECK(refused.exit_code == 2);
  CHECK(mentions(refused.err, "U+2585 in 2 lines", "no text to train a tokenizer from", "U+2585 alone"));
  const Outcome small = shell("$A tokenizer train text --model small");
  CHECK(small.exit_code == 0);
  CHECK(mentions(small.out, "(--vocab-size 8000)"));
}

TEST_CASE("warnings of text name the file and the line in that file") {
  const Shell shell;
  shell.write("a", "ab\n" + std::string(9000, 'a') + "\n");
  shell.write("b", "b\n\n\u2585\nb\xFF\nb\u2585\n" + std::string(9000, 'b') + "\n" + std::string(9000, 'b') + "\n");
  const Outcome trained = shell("$A tokenizer train a b --type char --vocab-size 20 --model m");
  CHECK(trained.exit_code == 0);
  CHECK(mentions(trained.err, "warning: input: a: 1 line of more than 8192 bytes, line 2 is the first",
                 "warning: input: b: 2 lines of more than 8192 bytes, line 6 is the first",
                 "warning: input: b: not valid UTF-8, or NUL, in 1 line, line 4 is the first",
                 "warning: input: b: U+2585 in 2 lines, line 3 is the first"));
  CHECK(mentions(trained.out, "from 4 of 9 lines"));
  shell.write("whole", "ab\nba\n");
  CHECK(mentions(shell("$A tokenizer train whole --type char --vocab-size 20 --model n").out, "from 2 lines"));
  CHECK(mentions(shell("$A tokenizer encode --model n --input b").err, "--input: b: U+2585 in 2 lines, line 3"));
}

TEST_CASE("UTF-16 and UTF-32 are refused by name wherever text is read") {
  const Shell shell;
  shell.write("text", "ab\n");
  REQUIRE(shell("$A tokenizer train text --type char --model m").exit_code == 0);
  for (const std::string encoding : {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"}) {
    const Outcome outcome = shell("printf 'ab\\nba\\n' | iconv -t " + encoding + " | $A tokenizer encode --model m");
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "--input: the standard input:1: ", "looks like " + encoding));
  }
  for (const char* name : {"train.en", "val.en", "val.de", "test.en", "test.de"}) shell.write(name, "ab\n");
  shell("printf 'ab\\n' | iconv -t UTF-16LE >train.de");
  shell.write_config(R"({"dir": "."})");
  const Outcome outcome = shell("$A train config.json --out run -q");
  CHECK(is_plain_refusal(outcome));
  CHECK(mentions(outcome.err, "train.de:1: ", "looks like UTF-16LE"));
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
  shell.write("blanks", "\n s1  s2\t\n \t \ns1 s2\n");
  for (const char* options : {"--beam 1", "--beam 2 --batch-sentences 1", "--top-k 3 --min-length 2"}) {
    const std::string command = std::string("$A translate --run run --input blanks ") + options;
    INFO(command);
    const std::string lines = shell(command).out;
    CHECK(lines_in(lines) == 4);
    CHECK(lines.starts_with("\n"));
    CHECK(mentions(lines, "\n\n"));
    CHECK(lines_in(shell(command + " --format json").out) == 4);
    CHECK(mentions(shell(command + " --format json").out, R"("line":3,"source":" \t ","hypotheses":[{"text":"")"));
  }
  CHECK(shell("printf 's1 s2' | $A translate --run run").out ==
        shell("printf '  s1\\t s2 ' | $A translate --run run").out);
  CHECK(mentions(translated.err, "line 2", "cropped to data.max_pieces = 256", "line 4 is the first"));
  const Outcome likelihood = shell("$A likelihood --run run --source text --target text --format json");
  CHECK(lines_in(likelihood.out) == 5);
  CHECK(mentions(likelihood.err, "--target: line 2", "cropped"));
  shell.write("short", "s1\n");
  CHECK(mentions(shell("$A likelihood --run run --source text --target short").err, "5 lines", "has 1"));

  CHECK(mentions(shell("$A translate --run run --n-best 3 <short").err, "--n-best 3 is more than --beam 2",
                 "lower --n-best to 2"));
  CHECK(
      mentions(shell("$A translate --run run --top-p 0 <short").err, "expected a number above 0 and at most 1, got 0"));
  CHECK(
      mentions(shell("$A translate --run run --length-penalty none --alpha 3 <short").err, "--alpha", "there is none"));
  CHECK(shell("$A translate --run run --top-k 1000 --seed 0 <short").exit_code == 0);
  CHECK(shell("$A translate --run run --threads 100000 <short").exit_code == 2);
  const Outcome stopped = shell("rm run/source.model; $A translate --run run <short");
  CHECK(is_plain_refusal(stopped));
  CHECK(mentions(stopped.err, "--run run", "has not begun"));
}

TEST_CASE("n-best lists have three fields a line, whatever the text spells") {
  const Shell shell;
  // Its byte pieces spell tabs, line ends and quotes.
  shell.write("config.json", R"({"data": {"generator": "copy", "train_pairs": 60, "valid_pairs": 4, "test_pairs": 4},
      "tokenizer": {"model": ")" ATTNLAB_TESTS_DIR R"(/tokenizer/data/byte_fallback.model"},
      "model": {"d_model": 8, "heads": 1, "d_ff": 8, "layers": 1},
      "training": {"steps": 1, "batch_tokens": 100, "device": "cpu"}})");
  REQUIRE(shell("$A train config.json --out run -q").exit_code == 0);
  const std::string command = "printf 'a b c d e\\n\\n' | $A translate --run run --temperature 1000 --n-best 200 ";
  const Outcome json = shell(command + "--format json"), text = shell(command);
  CHECK(mentions(json.out, "\\t"));
  CHECK(mentions(json.out, "\\n"));
  CHECK(mentions(json.out, R"(\")"));
  CHECK(lines_in(text.out) == 201);
  CHECK(std::count(text.out.begin(), text.out.end(), '\t') == 2 * 201);
  CHECK(text.out.ends_with("\n2\t0.000000\t\n"));
}

}  // namespace
}  // namespace attnlab::tests
