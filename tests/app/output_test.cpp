// Where the program cannot write: full and closed outputs, files in the way.

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

TEST_CASE("a full standard output is an error, not a short answer") {
  const Shell shell;
  shell.write_config();
  shell.write("spec.json", R"({"base": "config.json"})");
  shell.write("text", "s1 s2\n");
  REQUIRE(shell("$A run spec.json --out out -q && ln -s out/runs/*/* run").exit_code == 0);
  for (const char* command : {"--help",
                              "--version",
                              "spec schema",
                              "spec reference",
                              "spec resolve config.json",
                              "list",
                              "plan spec.json",
                              "run spec.json --out out -q",
                              "status out",
                              "table out",
                              "report out --no-sentence-tests",
                              "export tensorboard out",
                              "train config.json --out other",
                              "translate --run run --input text",
                              "likelihood --run run --source text --target text",
                              "attend --run run --sentence s1 --format text",
                              "score text -i text",
                              "compare runs run run --samples 2",
                              "tokenizer encode --model run/source.model --input text",
                              "data copy --out corpus$$ --set data.train_pairs=5"})
    for (const char* nowhere : {">/dev/full", ">&-"}) {
      const Outcome outcome = shell(std::string("$A ") + command + " " + nowhere);
      INFO(command << " " << nowhere << "\n" << outcome.err);
      CHECK(outcome.exit_code == 1);
      CHECK(mentions(outcome.err, "attnlab: cannot write to the standard output: "));
    }
}

TEST_CASE("a reader that has seen enough ends the program as it ends others") {
  const Shell shell;
  const Outcome outcome = shell("{ $A spec reference; echo $? >code; } | head -n 1");
  CHECK(outcome.err.empty());
  CHECK((shell.content("code") == "141\n" || shell.content("code") == "0\n"));  // 0: all was in the pipe already
}

TEST_CASE("a sweep whose table nobody takes has its files all the same") {
  const Shell shell;
  shell.write_config();
  shell.write("spec.json", R"({"base": "config.json"})");
  CHECK(shell("$A run spec.json --out out -q >/dev/full").exit_code == 1);
  CHECK(shell.has("out/report.html"));
}

TEST_CASE("words on stderr that nobody takes stop no work") {
  const Shell shell;
  shell.write_config();
  CHECK(shell("$A train config.json --out full 2>/dev/full").exit_code == 0);
  CHECK(shell("printf 's1 \\377\\n' >text; $A translate --run full --input text 2>/dev/full").exit_code == 0);
}

TEST_CASE("a closed standard output takes no file's place") {
  const Shell shell;
  shell.write_config();
  CHECK(shell("$A train config.json --out open -q").exit_code == 0);
  CHECK(shell("$A train config.json --out closed >&- 2>&-").exit_code == 1);
  CHECK(shell("$A train config.json --out quiet -q >&- 2>&- <&-").exit_code == 0);
  for (const char* folder : {"closed", "quiet"})
    CHECK(shell.content(std::string(folder) + "/checkpoints/last.safetensors") ==
          shell.content("open/checkpoints/last.safetensors"));
}

TEST_CASE("a file where a folder should be is named") {
  const Shell shell;
  shell.write_config();
  shell.write("file", "text\n");
  for (const char* command :
       {"$A train config.json --out file", "$A train config.json --out file/below", "$A data copy --out file",
        "echo '{\"base\": \"config.json\"}' >spec.json; $A run spec.json --out file"}) {
    const Outcome outcome = shell(command);
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "'file' is a file"));
  }
  CHECK(shell.content("file") == "text\n");
}

/// Whether a command refuses, mentions what it should, and leaves `name` saying "mine".
template <typename... Parts>
void check_kept(const Shell& shell, const std::string& command, const std::string& name, const Parts&... parts) {
  const Outcome outcome = shell(command);
  INFO(command << "\n" << outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(is_plain_refusal(outcome));
  CHECK(mentions(outcome.err, parts...));
  CHECK(shell.content(name) == "mine\n");
}

TEST_CASE("data and tokenizer train write over files only when told to, and never over an input") {
  const Shell shell;
  const std::string data = "$A data copy --out . --set data.train_pairs=3 ";
  shell.write("test.en", "mine\n");
  check_kept(shell, data, "test.en", "'./test.en'", "there already", "--replace");
  CHECK_FALSE(shell.has("train.en"));
  CHECK(shell(data + "--replace").exit_code == 0);
  CHECK(shell.content("test.en") != "mine\n");
  CHECK(mentions(shell(data).err, "there already"));

  const std::string train = "$A tokenizer train x.txt --type char ";
  shell.write("x.txt", "mine\n");
  shell.write("other", "mine\n");
  shell("ln -s x.txt link; ln x.txt hard; ln -s nowhere dangling; mkdir folder");
  for (const std::string name : {"x.txt", "./x.txt", "link", "hard"})
    check_kept(shell, train + "--replace --model " + name, "x.txt", "it is the input 'x.txt'");
  check_kept(shell, train + "--model other", "other", "'other'", "there already", "--replace");
  check_kept(shell, train + "--model dangling", "other", "'dangling'", "it is a link");
  check_kept(shell, train + "--model folder --replace", "other", "'folder'", "it is a folder");
  check_kept(shell, train + "--model /dev/null --replace", "other", "no regular file");
  check_kept(shell, train + "--model no/m", "other", "no folder 'no'");
  check_kept(shell, train + "--model other/m", "other", "'other' is a file");
  CHECK(mentions(shell(train + "--model ''").err, "--model", "got nothing"));
  CHECK(shell(train + "--model m").exit_code == 0);
  CHECK(mentions(shell(train + "--model m").err, "there already"));
  CHECK(shell(train + "--model other --replace").exit_code == 0);
  CHECK(shell.content("other") == shell.content("m"));
}

TEST_CASE("attend writes again into its run, and elsewhere over files only when told to") {
  const Shell shell;
  shell.write_config();
  REQUIRE(shell("$A train config.json --out run -q").exit_code == 0);
  const std::string attend = "$A attend --run run --sentence 'a b' --format csv,text -q ";
  for (const char* out : {"", "", "--out run/attention", "--out new"}) CHECK(shell(attend + out).exit_code == 0);
  CHECK(shell.content("run/attention/summary.csv") == shell.content("new/summary.csv"));
  shell.write("summary.csv", "mine\n");
  check_kept(shell, attend + "--out .", "summary.csv", "'./summary.csv'", "there already", "--replace");
  check_kept(shell, "$A attend --run run --input summary.csv --format csv --out . --replace", "summary.csv",
             "it is the input");
  CHECK(mentions(shell(attend + "--out new").err, "new/summary.csv", "there already"));
  CHECK(shell(attend + "--out . --replace").exit_code == 0);
  CHECK(shell.content("summary.csv") == shell.content("new/summary.csv"));
  shell.write("heads.json", "mine\n");
  check_kept(shell, "$A attend --run run --analyse --out .", "heads.json", "'./heads.json'", "there already");
}

TEST_CASE("a sweep keeps what is not its own, at its start, its end and its reports") {
  const Shell shell;
  shell.write_config();
  shell.write("spec.json", R"({"base": "config.json", "grid": {"model.d_ff": [8, 16]}})");
  const std::string run = "$A run spec.json --out out -q -j 1";
  shell("mkdir -p out/figures; echo mine >out/figures/mine.svg; echo mine >out/report.html");
  check_kept(shell, run, "out/report.html", "'out/report.html'", "attnlab did not write", "move it away");
  shell("mv out/report.html out/figures/cells.svg");
  check_kept(shell, run, "out/figures/cells.svg", "'out/figures/cells.svg'", "attnlab did not write");
  CHECK_FALSE(shell.has("out/runs"));
  shell("rm out/figures/cells.svg; echo mine >out/figures/interaction-my-notes.svg; echo mine >out/comparison.md");
  for (const char* again : {"", " --set training.steps=3"}) REQUIRE(shell(run + again).exit_code == 0);
  CHECK(shell("$A report out --tensorboard").exit_code == 0);
  CHECK(shell("$A report out --tensorboard").exit_code == 0);
  for (const char* name : {"out/figures/mine.svg", "out/figures/interaction-my-notes.svg", "out/comparison.md"})
    CHECK(shell.content(name) == "mine\n");
  shell("rm out/figures/cells.svg out/.written; mkdir out/figures/cells.svg");
  CHECK(mentions(shell("$A report out").err, "out/figures/cells.svg", "directory"));
}

TEST_CASE("a run begins in no folder with files of somebody else under its names") {
  const Shell shell;
  shell.write_config();
  shell(
      "mkdir a b c d; echo mine >a/translations.txt; mkdir b/checkpoints; echo mine >b/checkpoints/best.safetensors; "
      "echo mine >c/run.json; cp config.json d");
  const std::string train = "$A train config.json -q --out ";
  check_kept(shell, train + "a", "a/translations.txt", "'translations.txt'", "no run of attnlab wrote", "--out");
  check_kept(shell, train + "b", "b/checkpoints/best.safetensors", "'checkpoints'", "no run of attnlab wrote");
  check_kept(shell, train + "c", "c/run.json", "c/run.json", "not a record of a run");
  CHECK_FALSE(shell.has("a/.lock"));
  const std::string config = shell.content("d/config.json");
  CHECK(mentions(shell(train + "d --set training.steps=3").err, "d/config.json", "attnlab did not write"));
  CHECK(mentions(shell("$A train d/config.json --out d --set training.steps=3").err, "it is the input"));
  CHECK(shell("$A train d/config.json --out d -q").exit_code == 0);
  CHECK(shell.content("d/config.json") == config);
}

}  // namespace
}  // namespace attnlab::tests
