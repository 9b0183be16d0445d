#include "sacrebleu/command/command.h"

#include <filesystem>
#include <map>
#include <sstream>

#include "sacrebleu/command/table.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace sacrebleu {
namespace {

/// A folder with a hypothesis, a worse one and a reference; runs the command there.
class Fixture {
 public:
  Fixture() {
    write("ref", "a b c d e\nf g h i j\n");
    write("good", "a b c d e\nf g h i j\n");
    write("bad", "a b c x y\nf g h z j\n");
  }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    folder_.write(name, text);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  int run(const std::vector<std::string>& words, const std::string& input = "", bool terminal = false) {
    std::istringstream in(input);
    std::ostringstream out_stream, error_stream;
    const auto lookup = [this](const std::string& name) {
      const auto found = environment.find(name);
      return found == environment.end() ? std::nullopt : std::optional(found->second);
    };
    const int code = run_command("sacrebleu-cpp", words, {in, out_stream, error_stream, terminal, lookup, nullptr});
    out = out_stream.str();
    error = error_stream.str();
    return code;
  }

  std::map<std::string, std::string> environment;
  std::string out, error;

 private:
  attnlab::tests::TemporaryFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE_METHOD(Fixture, "The command scores the standard input", "[sacrebleu]") {
  CHECK(run({path("ref"), "-b"}, "a b c d e\nf g h i j\n") == 0);
  CHECK(out == "100.0\n");
  CHECK(run({path("ref"), "-bw3", "-m", "ter"}, "a b c d x\nf g h i j") == 0);
  CHECK(out == "10.000\n");
}

TEST_CASE_METHOD(Fixture, "Arguments by argparse's rules", "[sacrebleu]") {
  CHECK(run({path("ref"), "--wid=2", "--score", "-i", path("good")}) == 0);
  CHECK(out == "100.00\n");
  CHECK(run({path("ref"), "--conf", "-i", path("good")}) == 2);
  CHECK(contains(error, "ambiguous option: --conf could match --confidence, --confidence-n"));
  CHECK(run({path("ref"), "-w", "x"}) == 2);
  CHECK(contains(error, "argument --width/-w: invalid int value: 'x'"));
  CHECK(run({path("ref"), "-w"}) == 2);
  CHECK(contains(error, "argument --width/-w: expected one argument"));
  CHECK(run({path("ref"), "-f", "text", "late"}) == 2);
  CHECK(contains(error, "unrecognized arguments: late"));
  CHECK(run({path("ref"), "--nonsense"}) == 2);
  CHECK(contains(error, "unrecognized arguments: --nonsense"));
  CHECK(run({path("ref"), "--quiet=1"}) == 2);
  CHECK(contains(error, "ignored explicit argument '1'"));
  CHECK(run({"-b", "-i", path("good"), "--", path("ref")}) == 0);
  CHECK(run({"--help"}) == 0);
  CHECK(contains(out, "usage: sacrebleu-cpp [-h]"));
  CHECK(run({"-V"}) == 0);
  CHECK(out == "sacrebleu-cpp 2.6.0\n");
}

TEST_CASE_METHOD(Fixture, "Mistakes and their exit codes", "[sacrebleu]") {
  CHECK(run({path("ref")}, "only one line\n") == 1);
  CHECK(contains(error, "sacreBLEU: System and reference streams have different lengths."));
  CHECK(run({path("ref"), "-nr", "2"}) == 17);
  CHECK(contains(error, "FATAL: line 1: expected 2 fields, but found 1."));
  CHECK(run({path("ref"), "-i", path("good"), path("good")}) == 1);
  CHECK(contains(error, "already used to name a system."));
  CHECK(run({path("ref"), "-i", path("good"), path("bad"), "-ci"}) == 1);
  CHECK(contains(error, "Use paired tests (--paired) for multiple systems."));
  CHECK(run({path("ref"), "-tok", "spm", "-i", path("good")}) == 1);
  CHECK(contains(error, "needs a model"));
  environment["SACREBLEU_SEED"] = "soon";
  CHECK(run({path("ref"), "-ci", "-i", path("good")}) == 1);
  CHECK(contains(error, "SACREBLEU_SEED must be"));
  environment["SACREBLEU_SEED"] = "NONE";
  CHECK(run({path("ref"), "-ci", "-i", path("bad"), "-f", "text"}) == 0);
  CHECK(contains(out, "seed:none"));
}

TEST_CASE_METHOD(Fixture, "Test sets are used when they lie in the folder and refused otherwise", "[sacrebleu]") {
  environment["SACREBLEU"] = path("home");
  CHECK(run({"-t", "wmt99", "-l", "en-de"}) == 1);
  CHECK(contains(error, "Unknown test set 'wmt99'"));
  CHECK(run({"-t", "wmt17"}) == 1);
  CHECK(contains(error, "I need a language pair (-l)."));
  CHECK(run({"-t", "wmt17", "-l", "en-de"}) == 1);
  CHECK(contains(error, "never downloads anything"));
  CHECK(run({"--list"}) == 1);
  CHECK(run({"--download", "wmt17"}) == 1);
  CHECK(run({"--citation", "-t", "wmt17"}) == 1);
  CHECK(run({path("ref"), "--origlang", "de"}, "a\nb\n") == 1);
  CHECK(contains(error, "--origlang and --subset are not available"));
  write("home/wmt17/wmt17.en-de.src", "one\ntwo\n");
  write("home/wmt17/wmt17.en-de.ref", "a b c d e\nf g h i j\n");
  CHECK(run({"-t", "wmt17", "-l", "en-de", "-b", "-i", path("good")}) == 0);
  CHECK(out == "100.0\n");
  CHECK(run({"-t", "wmt17", "-l", "en-de", "--echo", "src", "ref"}) == 0);
  CHECK(out == "one\ta b c d e\ntwo\tf g h i j\n");
  CHECK(run({"-t", "wmt17", "--list"}) == 0);
  CHECK(out == "en-de: src, ref\n");
  CHECK(run({"-t", "wmt17", "-l", "en-de", "--echo", "docid"}) == 1);
  CHECK(contains(error, "No such field docid"));
}

TEST_CASE_METHOD(Fixture, "Colours appear on terminals only", "[sacrebleu]") {
  const std::vector<std::string> words = {path("ref"), "-i",   path("good"), path("bad"), "-f",
                                          "text",      "-par", "-parn",      "50"};
  CHECK(run(words, "", /*terminal=*/true) == 0);
  CHECK(contains(out, "\x1b[36mSystem\x1b[0m"));
  const std::string colored = out;
  CHECK(run(words) == 0);
  CHECK(out == strip_colors(colored));
  environment["NO_COLOR"] = "1";
  CHECK(run(words, "", /*terminal=*/true) == 0);
  CHECK_FALSE(contains(out, "\x1b["));
}

TEST_CASE("LaTeX tables escape what LaTeX would read", "[sacrebleu]") {
  const std::string table = draw_table({{"System", "BLEU"}, {{"a_b & c", "d"}, {"1.0", "2.5"}}}, TableStyle::latex, 1);
  CHECK(contains(table, "a\\_b \\& c &  1.0"));
}

}  // namespace
}  // namespace sacrebleu
