// Attention that runs write by themselves: while they train, and of the trained model.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

/// A spec with two runs of two steps.
void write_spec(const Shell& shell, const std::string& inspection) {
  shell.write("spec.json", R"({"base": {
      "data": {"generator": "pronouns", "train_pairs": 200, "valid_pairs": 6, "test_pairs": 8},
      "tokenizer": {"type": "char", "vocab_size": 100},
      "model": {"d_model": 8, "d_ff": 8, "layers": 1},
      "training": {"steps": 2, "batch_tokens": 300, "device": "cpu"},
      "decoding": {"beam": 1, "max_length_extra": 3})" +
                               inspection + R"(}, "grid": {"model.heads": [1, 2]}})");
}

/// The tensors of a safetensors file without its header, which says of which run they are.
std::string tensor_bytes(const std::string& file) {
  uint64_t header = 0;
  REQUIRE(file.size() > sizeof header);
  std::memcpy(&header, file.data(), sizeof header);
  REQUIRE(file.size() > sizeof header + header);
  return file.substr(sizeof header + header);
}

TEST_CASE("runs write their attention as they train, and train as if they did not") {
  const Shell shell;
  write_spec(shell, "");
  REQUIRE(shell("$A run spec.json --out plain -q -j 1").exit_code == 0);
  CHECK(shell("ls plain/runs/*/seed=1/attention plain/heads.csv").exit_code != 0);
  write_spec(shell, R"(, "inspection": {"every": 2, "sentences": 3})");
  REQUIRE(shell("$A run spec.json --out watched -q -j 1").exit_code == 0);
  for (const std::string heads : {"heads=1", "heads=2"}) {
    CHECK(shell("ls watched/runs/" + heads + "*/seed=1/attention").out == "step-00000002.safetensors\n");
    const auto weights = [&](const std::string& sweep) {
      return tensor_bytes(shell("cat " + sweep + "/runs/" + heads + "*/seed=1/checkpoints/last.safetensors").out);
    };
    CHECK(weights("plain") == weights("watched"));
  }
}

TEST_CASE("the numbers of heads stand in the results of a sweep") {
  const Shell shell;
  write_spec(shell, R"(, "inspection": {"analyse": true})");
  const Outcome outcome = shell("$A run spec.json --out out -j 1");
  REQUIRE(outcome.exit_code == 0);
  CHECK(mentions(outcome.out, "best head coref. %", "best head AER %"));
  const std::string heads = shell.content("out/heads.csv");
  CHECK(heads.starts_with("variant,hash,seed,kind,layer,head,"));
  CHECK(std::count(heads.begin(), heads.end(), '\n') == 1 + 3 + 6);
  CHECK(mentions(shell("ls out/runs/heads=1*/seed=1/attention").out, "heads.csv", "heads.json", "importance.svg"));
}

TEST_CASE("attend refuses options that would have no effect, before it opens a run") {
  const Shell shell;
  const auto refuses = [&](const std::string& options, const std::string& idle, const std::string& reason) {
    const Outcome outcome = shell("$A attend --run nowhere " + options);
    INFO(options << "\n" << outcome.err);
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "attnlab: " + idle + " no effect ", reason));
  };
  const std::string shown = "--sentence a --format ";
  for (const std::string option : {"--alignments f", "--removal-bleu", "--pruning"})
    refuses(shown + "csv " + option, option.substr(0, option.find(' ')) + " has", "without --analyse");
  for (const std::string option : {"--compare x", "--compare-weights last"})
    refuses(shown + "csv " + option, option.substr(0, option.find(' ')) + " has", "add --format html");
  for (const std::string option : {"--target a", "--targets f"})
    refuses("--format csv --split test " + option, option.substr(0, option.find(' ')) + " has", "with --split");
  refuses(shown + "csv --target a --targets f", "--target has", "with --targets");
  for (const std::string option :
       {"--sentence a", "--input f", "--target a", "--targets f", "--forced", "--kinds all", "--layers 0", "--heads 0"})
    refuses("--analyse " + option, option.substr(0, option.find(' ')) + " has", "on --analyse");
  refuses("--analyse --heads 0 --kinds cross", "--kinds, --heads have", "every head");
  for (const std::string what : {"--analyse", "--sentence a --format csv", "--sentence a --format text"})
    refuses(what + " --max-size 1", "--max-size has", "without a file of weights");
  refuses(shown + "text --out x --replace", "--out, --replace have", "goes to the terminal");
  CHECK(mentions(shell("$A attend --run nowhere --sentence a --out x").err, "nothing to do"));
  for (const std::string& fine : {std::string("--analyse --split valid --out x --replace --limit 2 --pruning"),
                                  shown + "text,csv --out x", shown + "html --max-size 1 --compare y --target a"})
    CHECK(mentions(shell("$A attend --run nowhere " + fine).err, "--run nowhere: "));
}

TEST_CASE("attend --analyse takes gold links that belong to its sentences, and says what its columns are") {
  const Shell shell;
  shell.write_config();  // four test pairs
  REQUIRE(shell("$A train config.json --out run -q").exit_code == 0);
  const auto analyse = [&](const std::string& links, const std::string& options) {
    shell.write("links", links);
    return shell("$A attend --run run --analyse --alignments links " + options);
  };
  const std::string two = "0-0\n1-1\n", four = two + two;
  const Outcome whole = analyse(four, "");
  CHECK(whole.exit_code == 0);
  CHECK(mentions(whole.out, "confid.: ", "AER: alignment error rate", "loss+: "));
  for (const std::string& links : {two, four}) CHECK(analyse(links, "--limit 2").exit_code == 0);
  const Outcome more = analyse(four + "0-0\n", "");
  CHECK(is_plain_refusal(more));
  CHECK(mentions(more.err, "--alignments links: has 5 lines, the test split has 4 sentences", "must be the same"));
  CHECK(mentions(analyse(two, "").err, "has 2 lines", "4 sentences"));
  CHECK(mentions(analyse(two, "--limit 3").err, "has 2 lines", "or the 3 that --limit takes"));
  const Outcome outside = analyse(two + "0-0 0-99\n0-0\n", "");
  CHECK(is_plain_refusal(outside));
  CHECK(mentions(outside.err, "links:3: a link names target word 99", "the target sentence has"));
  CHECK(mentions(analyse("0-0 99?0\n" + two + "\n", "").err, "links:1: a link names source word 99"));
}

}  // namespace
}  // namespace attnlab::tests
