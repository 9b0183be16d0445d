// What translate prints of searches and samples, and of texts of any length.

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

/// A shell with a model that is as good as untrained.
struct Trained {
  Shell shell;
  Trained() {
    shell.write_config();
    REQUIRE(shell("$A train config.json --out run -q").exit_code == 0);
  }
};

TEST_CASE("no control piece comes out of a search or a sample, and unk only where it is allowed") {
  const Trained trained;
  const Shell& shell = trained.shell;
  shell.write("text", "s1 s2 s3 s4\ns5\n");
  for (const std::string options : {"--beam 1", "--beam 4 --n-best 4", "--temperature 3 --n-best 50", "--top-k 3"}) {
    const Outcome allowed =
        shell("$A translate --run run --input text --format json --min-length 6 --max-length-extra 10 " + options);
    const Outcome banned = shell(
        "$A translate --run run --input text --format json --min-length 6 --max-length-extra 10 --no-unk " + options);
    INFO(options << banned.err);
    REQUIRE(allowed.exit_code == 0);
    REQUIRE(banned.exit_code == 0);
    const auto lines = lines_of(allowed.out + banned.out);
    REQUIRE(lines.size() == 4);
    for (const std::string& line : lines) {
      const auto hypotheses = nlohmann::json::parse(line)["hypotheses"];
      CHECK(!hypotheses.empty());
      for (const auto& hypothesis : hypotheses) {
        CHECK(hypothesis["pieces"].size() >= 6);
        for (const std::string piece : hypothesis["pieces"]) CHECK((piece != "<pad>" && piece != "<s>"));
      }
    }
    CHECK(banned.out.find("<unk>") == std::string::npos);
  }
}

TEST_CASE("lines with words that the model does not know are counted, once") {
  const Trained trained;
  const Shell& shell = trained.shell;
  shell.write("text", "1 2\nnobody knows 3\n3\n\nnor this\n");
  const Outcome translated = shell("$A translate --run run --input text");
  CHECK(translated.exit_code == 0);
  CHECK(lines_of(translated.out).size() == 5);
  CHECK(mentions(translated.err, "--input: 2 of 5 lines have words or characters that the model does not know",
                 "the first is line 2"));
  CHECK(shell("printf '1 2\\n' | $A translate --run run").err.empty());
}

TEST_CASE("texts of an n-best list differ, and a list that is shorter than asked for is announced") {
  const Trained trained;
  const Shell& shell = trained.shell;
  shell.write("text", "1 2\n3\n");
  const Outcome list = shell("$A translate --run run --input text --beam 20 --n-best 20");
  REQUIRE(list.exit_code == 0);
  std::set<std::string> distinct;
  for (const std::string& line : lines_of(list.out)) {
    const size_t score = line.find('\t');
    distinct.insert(line.substr(0, score) + line.substr(line.find('\t', score + 1)));
  }
  CHECK(distinct.size() == lines_of(list.out).size());
  // One token: the end mark, or one of the other pieces and cut.
  const Outcome tiny =
      shell("$A translate --run run --input text --beam 100 --n-best 100 --max-length-ratio 0 --max-length-extra 1");
  CHECK(mentions(tiny.err, "--input: line 1: ", " of 100 hypotheses: "));
  CHECK(mentions(tiny.err, "--input: line 2: "));
  CHECK(lines_of(tiny.err).size() == 2);
  CHECK(lines_of(shell("$A translate --run run --input text --temperature 0.1 --n-best 30").out).size() == 60);
}

TEST_CASE("lengths that allow no token are refused before anything is read") {
  const Trained trained;
  const Outcome refused =
      trained.shell("$A translate --run run --max-length-ratio 0 --max-length-extra 0 --input missing");
  CHECK(is_plain_refusal(refused));
  CHECK(mentions(refused.err, "max_length_ratio 0 allows no token at all"));
}

TEST_CASE("a long text is translated in parts, each line as if it stood alone and under its own number", "[slow]") {
  const Trained trained;
  const Shell& shell = trained.shell;
  const std::vector<std::string> kinds{"s1", "s2 s3", "", "s5 s6 s7 s8 s9", "\uFEFFs4"};
  std::string text;
  for (int i = 0; i < 10'005; ++i) text += kinds[static_cast<size_t>(i) % kinds.size()] + "\n";
  shell.write("text", "s0\n" + text + "s1");
  const auto all = lines_of(shell("gzip -c text | $A translate --run run --beam 1").out);
  REQUIRE(all.size() == 10'007);
  for (size_t i = 1 + kinds.size(); i + 1 < all.size(); ++i) REQUIRE(all[i] == all[i - kinds.size()]);
  CHECK(all.back() == all[1]);
  const Outcome last = shell("$A translate --run run --input text --beam 2 --n-best 2 2>/dev/null | tail -n 1");
  CHECK(last.out.starts_with("10007\t"));
  CHECK(shell("(printf s; sleep 0.05; printf '1\\ns2 s3') | $A translate --run run --beam 1").out ==
        all[1] + "\n" + all[2] + "\n");
}

}  // namespace
}  // namespace attnlab::tests
