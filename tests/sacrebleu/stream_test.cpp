// One system scored while it is read: the same results as if it were held, whatever the length of a block.

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include "sacrebleu/bleu.h"
#include "sacrebleu/chrf.h"
#include "sacrebleu/command/command.h"
#include "sacrebleu/corpus_sums.h"
#include "sacrebleu/ter.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace sacrebleu {
namespace {

/// What a run of the command shows.
struct Shown {
  int code = 0;
  std::string out, error;
  bool operator==(const Shown&) const = default;
};

std::ostream& operator<<(std::ostream& stream, const Shown& shown) {
  return stream << "code " << shown.code << "\nout: " << shown.out << "\nerror: " << shown.error;
}

/// A pipe with a text in it, which can be read once.
class Pipe {
 public:
  explicit Pipe(const std::string& text) {
    REQUIRE(::pipe(ends_) == 0);
    REQUIRE(::write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    ::close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { ::close(ends_[0]); }
  [[nodiscard]] std::string path() const { return fmt::format("/dev/fd/{}", ends_[0]); }

 private:
  int ends_[2] = {};
};

/// Sentences of up to 14 words from a small vocabulary, some of them empty.
std::vector<std::string> sentences(int seed, std::size_t count) {
  std::vector<std::string> lines(count);
  unsigned random = 12345 + static_cast<unsigned>(seed);
  const auto below = [&random](unsigned limit) { return ((random = random * 1664525 + 1013904223) >> 16U) % limit; };
  for (auto& line : lines) {
    for (unsigned words = below(15); words > 0; --words) {
      static const char* const kWords[] = {"der", "Hund", "läuft", "über", "eine", "Straße", "schnell,", "und", "1.5"};
      line += (line.empty() ? "" : " ") + std::string(kWords[below(9)]);
    }
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines, const std::string& end = "\n") {
  std::string text;
  for (const auto& line : lines) text += line + end;
  return text;
}

class Fixture {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
  }

  std::string write_gzip(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    const gzFile file = gzopen(path.c_str(), "wb");
    REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
    gzclose(file);
    return path;
  }

  static Shown run(const std::vector<std::string>& words, const std::string& input = "",
                   std::size_t block_lines = kBlockLines) {
    std::istringstream in(input);
    std::ostringstream out, error;
    const auto lookup = [](const std::string&) { return std::optional<std::string>(); };
    const int code = run_command("sacrebleu-cpp", words, {in, out, error, false, lookup, nullptr}, block_lines);
    return {code, out.str(), error.str()};
  }

  /// Every length of block must show the same.
  static Shown run_in_blocks(const std::vector<std::string>& words, const std::string& input = "") {
    const Shown whole = run(words, input);
    for (const std::size_t block_lines : {1, 2, 7, 50}) {
      INFO("blocks of " << block_lines);
      CHECK(run(words, input, block_lines) == whole);
    }
    return whole;
  }

 private:
  attnlab::tests::TemporaryFolder folder_;
};

const std::vector<std::string> kAllMetrics = {"-m", "bleu", "chrf", "ter", "--chrf-word-order", "2", "-w", "15"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_CASE("Sums of blocks have the bits of the sums of all lines", "[sacrebleu]") {
  const auto hypotheses = sentences(0, 101);
  const std::vector<std::vector<std::string>> references = {sentences(1, 101), sentences(2, 101), sentences(3, 101)};
  const BLEU bleu;
  const CHRF chrf;
  const TER ter;  // the mean length of three references is a fraction
  for (const Metric* metric : std::vector<const Metric*>{&bleu, &chrf, &ter}) {
    const Statistics all = metric->statistics(hypotheses, references);
    const double whole = metric->score(all.sum(), all.references).score;
    CHECK(metric->evaluate(hypotheses, references).score == whole);
    for (const std::size_t length : {1, 3, 50, 101}) {
      CorpusSums sums(*metric, 101, /*threads=*/2);
      for (std::size_t first = 0; first < 101; first += length) {
        const std::size_t count = std::min<std::size_t>(length, 101 - first);
        sums.add(std::span(hypotheses).subspan(first, count), References(references).lines(first, count));
      }
      CHECK(sums.score(3).score == whole);
      CHECK(sums.score(3).signature.format() == metric->signature(3).format());
    }
  }
}

TEST_CASE("An error in a block comes with the score, and with the line of the corpus", "[sacrebleu]") {
  const std::vector<std::vector<std::optional<std::string>>> references = {{"a", "b", "c", std::nullopt}};
  const std::vector<std::string> hypotheses = {"a", "b", "c", "d"};
  const CHRF chrf;
  CorpusSums sums(chrf, 4, 1);
  sums.add(std::span(hypotheses).first(2), References(references).lines(0, 2));
  sums.add(std::span(hypotheses).last(2), References(references).lines(2, 2));
  CHECK_THROWS_WITH(sums.score(-1), "line 4 has no reference: chrF needs at least one");
}

TEST_CASE_METHOD(Fixture, "A system in blocks has the scores of one that is held", "[sacrebleu]") {
  const auto hypotheses = sentences(0, 101);
  const std::string text = joined(hypotheses), first = joined(sentences(1, 101)), second = joined(sentences(2, 101));
  const std::string hypothesis_file = write("hyp", text);
  const Shown held = [&] {
    const Pipe one(first), two(second);
    return run(with({one.path(), two.path()}, kAllMetrics), text);
  }();
  REQUIRE(held.code == 0);
  const std::vector<std::string> files = {write("ref1", first), write_gzip("ref2.gz", second)};
  CHECK(run_in_blocks(with(files, kAllMetrics), text) == held);
  CHECK(run_in_blocks(with(files, with(kAllMetrics, {"-j", "2"})), text) == held);
  CHECK(run_in_blocks(with(files, with(kAllMetrics, {"-i", hypothesis_file}))) == held);
  CHECK(run_in_blocks(with(files, with(kAllMetrics, {"-i", write_gzip("hyp.gz", text)}))) == held);
  CHECK(run_in_blocks(with(files, kAllMetrics), joined(hypotheses, "\r\n")) == held);

  const auto one = sentences(1, 101), two = sentences(2, 101);
  std::string columns;
  for (std::size_t i = 0; i < one.size(); ++i) columns += one[i] + '\t' + two[i] + (two[i].empty() ? "\tx" : "") + '\n';
  // An empty last field would be stripped with its tab: a line of one field.
  Shown expected;
  {
    std::string kept;
    for (std::size_t i = 0; i < two.size(); ++i) kept += (two[i].empty() ? "\tx" : two[i]) + '\n';
    expected = run_in_blocks(with({write("ref1", first), write("ref3", kept)}, kAllMetrics), text);
  }
  CHECK(run_in_blocks(with({write("columns", columns), "-nr", "2"}, kAllMetrics), text) == expected);
}

TEST_CASE_METHOD(Fixture, "Other encodings, several columns and sentences give what they gave", "[sacrebleu]") {
  const std::string reference = write("ref", "\xe4 b c d\nx\n");
  const Shown latin = run_in_blocks({reference, "-e", "latin-1", "-b", "-w", "3"}, "\xe4 b c d\nx\n");
  CHECK(latin.out == "100.000\n");
  const std::string plain = write("plain", "a b c d\nf g h i\n");
  const Shown columns = run_in_blocks({plain, "-f", "text"}, "a b c d\tx\nf g h i\ty\n");
  CHECK(columns.code == 0);
  CHECK(columns.error.find("Found 2 systems.") != std::string::npos);
  CHECK(run_in_blocks({plain, "-sl", "-b"}, "a b c d\nf g h i\n").out == "100.0\n100.0\n");
}

TEST_CASE_METHOD(Fixture, "Different lengths on either side", "[sacrebleu]") {
  const std::string kMessage = "sacreBLEU: System and reference streams have different lengths.\n";
  const std::string reference = write("ref", joined(sentences(1, 30)));
  for (const std::size_t length : {1, 29, 31, 60}) {
    CHECK(run_in_blocks({reference}, joined(sentences(0, length))) == Shown{1, "", kMessage});
  }
  CHECK(run_in_blocks({reference, write("short", "a\n")}, joined(sentences(0, 30))) == Shown{1, "", kMessage});
  CHECK(run_in_blocks({write("empty", "")}, "a\n") == Shown{1, "", kMessage});
}

TEST_CASE_METHOD(Fixture, "Empty input", "[sacrebleu]") {
  const std::string reference = write("ref", "a b c d\n"), empty = write("empty", "");
  CHECK(run_in_blocks({reference, "-b"}, "").out == "0.0\n");  // the standard input has at least one line
  CHECK(run_in_blocks({reference, "-i", empty}) == Shown{1, "", "sacreBLEU: Test set None contains no sentence\n"});
  CHECK(run_in_blocks({empty, "-i", empty}) == Shown{1, "", "sacreBLEU: Test set None contains no sentence\n"});
}

TEST_CASE_METHOD(Fixture, "What is wrong with the text comes before what metrics say", "[sacrebleu]") {
  const auto refusal = [](const Shown& shown, const std::string& words) {
    INFO(shown);
    CHECK(shown.code != 0);
    CHECK(shown.out.empty());
    CHECK(shown.error.starts_with("sacreBLEU: " + words));
    CHECK(std::count(shown.error.begin(), shown.error.end(), '\n') == 1);
  };
  const std::string good = joined(sentences(1, 30));
  const std::string reference = write("ref", good), bad = write("bad", joined(sentences(0, 15)) + "a\xff\n" + good);
  const std::string at =
      fmt::format("line 16: byte 0xff at position {} is not UTF-8", joined(sentences(0, 15)).size() + 1);
  refusal(run_in_blocks({bad}, good), bad + ", " + at);
  refusal(run_in_blocks({reference, "-i", bad}), bad + ", " + at);
  refusal(run_in_blocks({reference}, joined(sentences(0, 15)) + "a\xff\n"), "standard input, " + at);
  // Bytes before fields, fields before lengths, lengths before a tokenizer that is missing.
  refusal(run_in_blocks({reference}, "a\nb\tc\n\xff\n"), "standard input, line 3");
  refusal(run_in_blocks({reference, "-tok", "spm"}, "a\nb\tc\n"), "FATAL: the number of tab-delimited fields");
  refusal(run_in_blocks({reference, "-tok", "spm"}, "a\n"), "System and reference streams have different lengths.");
  CHECK(run_in_blocks({reference, "-tok", "spm"}, good).error.find("needs a model") != std::string::npos);
  // References before systems.
  refusal(run_in_blocks({bad, "-i", "/nonexistent"}), bad + ", line 16");
  refusal(run_in_blocks({write("columns", "a\tb\nc\n\xff\n"), "-nr", "2"}, "\xff"), "");
  CHECK(run_in_blocks({write("columns", "a\tb\nc\n"), "-nr", "2"}, "\xff") ==
        Shown{17, "", "sacreBLEU: FATAL: line 2: expected 2 fields, but found 1.\n"});
}

TEST_CASE_METHOD(Fixture, "Lines that end in a tokenized period are counted across blocks", "[sacrebleu]") {
  const auto text = [](int periods) {
    std::string lines;
    for (int i = 0; i < 120; ++i) lines += i < periods ? "a b c .\n" : "a b c d\n";
    return lines;
  };
  const std::string reference = write("ref", text(120));
  CHECK(run_in_blocks({reference, "-b"}, text(99)).error.empty());
  const Shown warned = run_in_blocks({reference, "-b"}, text(100));
  CHECK(warned.code == 0);
  CHECK(warned.error.starts_with("sacreBLEU: That's 100 lines that end in a tokenized period ('.')\n"));
  CHECK(run_in_blocks({reference, "-b", "--force"}, text(120)).error.empty());
  CHECK(run_in_blocks({reference, "-b", "-m", "chrf"}, text(120)).error.empty());
}

}  // namespace
}  // namespace sacrebleu
