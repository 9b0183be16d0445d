#include "experiments/evaluation/compare_runs.h"

#include <filesystem>

#include "experiments/spec/metrics.h"
#include "experiments/spec/write.h"
#include "support/json.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

using namespace attnlab;
using namespace attnlab::evaluation;
using attnlab::tests::error_message;
using attnlab::tests::mentions;

namespace {

using Lines = std::vector<std::string>;

Json paired_case() {
  return read_json(ATTNLAB_TESTS_DIR "/experiments/evaluation/data/paired_case.json", "test data");
}

void check_score(const RunScore& score, const Json& expected) {
  CHECK(score.score == Approx(expected["score"].get<double>()).epsilon(1e-9));
  CHECK(score.interval.mean == Approx(expected["mean"].get<double>()).epsilon(1e-7));
  CHECK(score.interval.half_width == Approx(expected["half_width"].get<double>()).epsilon(1e-7));
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

spec::RunConfig copy_run() {
  spec::RunConfig config;
  config.data.generator = "copy";
  return config;
}

/// The folder of a completed run, as far as a comparison reads it.
std::filesystem::path write_run(const tests::TemporaryFolder& place, const std::string& name, const Lines& translations,
                                const Lines& references, const spec::RunConfig& config = copy_run()) {
  std::filesystem::create_directories(place.path() / name);
  place.write(name + "/config.json", spec::to_json(config).dump());
  place.write(name + "/translations.txt", joined(translations));
  place.write(name + "/references.txt", joined(references));
  return place.path() / name;
}

}  // namespace

TEST_CASE("Runs are compared by every score that a run can have") {
  const Lines first = {"ein hund läuft über das gras .", "ein mann schläft auf einem sofa ."};
  const Lines second = {"ein hund läuft über den hof .", "ein mann schläft auf einem stuhl ."};
  for (const spec::Choice& score : spec::score_names()) {
    INFO(score.name);
    ComparisonOptions options;
    options.metric = score.name;
    options.samples = 10;
    const RunComparison result = compare_translations(first, second, first, {}, options);
    CHECK(result.first.score != result.second.score);
    CHECK(mentions(result.signature, "nrefs:1"));
    CHECK((result.signature.find("tok:none|smooth:none") != std::string::npos) == (score.name == "multi_bleu"));
  }
}

TEST_CASE("Scores, intervals and p of two systems equal those of sacreBLEU's paired tests") {
  const Json file = paired_case();
  for (const Json& expected : file["cases"]) {
    ComparisonOptions options;
    options.metric = expected["metric"].get<std::string>();
    options.test =
        expected["method"] == "bootstrap" ? sacrebleu::PairedTest::bootstrap : sacrebleu::PairedTest::randomisation;
    options.samples = expected["samples"].get<int>();
    options.threads = 2;
    INFO(options.metric << " " << expected["method"]);
    const RunComparison result = compare_translations(file["first"].get<Lines>(), file["second"].get<Lines>(),
                                                      file["references"].get<Lines>(), {}, options);
    check_score(result.first, expected["first"]);
    check_score(result.second, expected["second"]);
    check_score(result.difference, expected["difference"]);
    CHECK(result.p_value == Approx(expected["p_value"].get<double>()).epsilon(1e-12));
    CHECK(result.signature == expected["signature"].get<std::string>());
    CHECK(result.samples == options.samples);
    CHECK(result.lines == 40);
  }
}

TEST_CASE("A run does not differ from itself") {
  const Lines lines = {"a b c d e", "f g h i j", "k l m n o"};
  for (const auto test : {sacrebleu::PairedTest::bootstrap, sacrebleu::PairedTest::randomisation}) {
    ComparisonOptions options;
    options.test = test;
    options.samples = 20;
    const RunComparison result = compare_translations(lines, lines, {"a b c d x", "f g h i j", "k m n o"}, {}, options);
    CHECK(result.p_value == 1);
    CHECK(result.differing_lines == 0);
    CHECK(result.difference.score == 0);
    CHECK(result.difference.interval.half_width == 0);
  }
}

TEST_CASE("Run folders are compared by their own evaluation settings") {
  const Json file = paired_case();
  const auto first = file["first"].get<Lines>(), second = file["second"].get<Lines>();
  const auto references = file["references"].get<Lines>();
  const tests::TemporaryFolder place;
  spec::RunConfig config = copy_run();
  config.evaluation.lowercase = true;
  config.evaluation.bleu_tokenize = "char";
  const auto a = write_run(place, "a", first, references, config);
  const auto b = write_run(place, "b", second, references, config);
  const RunComparison result = compare_runs(a, b, {});
  CHECK(mentions(result.signature, "case:lc", "tok:char", "bs:1000", "seed:12345"));
  CHECK(result.second.score ==
        Approx(compare_translations(first, second, references, config.evaluation, {}).second.score));

  SECTION("a file of references takes the place of the runs' own") {
    std::filesystem::remove(a / "references.txt");
    CHECK(mentions(error_message([&] { compare_runs(a, b, {}); }), "references.txt is missing", "--references"));
    const auto same = compare_runs(a, b, {}, place.write("test.de", joined(references)));
    CHECK(same.p_value == result.p_value);
    std::string marked = "\uFEFF";
    for (const std::string& line : references) marked += line + "\r\n";
    CHECK(compare_runs(a, b, {}, place.write("windows.de", marked)).p_value == result.p_value);
    CHECK(mentions(error_message([&] {
                     compare_runs(a, b, {},
                                  place.write("latin.de",
                                              "Stra\xDF"
                                              "e\n"));
                   }),
                   "latin.de:1: not valid UTF-8"));
  }
  SECTION("other settings, references or lengths are refused") {
    const auto plain = write_run(place, "plain", second, references);
    CHECK(mentions(error_message([&] { compare_runs(a, plain, {}); }), "evaluation.lowercase"));
    const auto other = write_run(place, "other", second, second, config);
    CHECK(mentions(error_message([&] { compare_runs(a, other, {}); }), "different references"));
    const auto fewer = write_run(place, "fewer", Lines(second.begin(), second.end() - 1), references, config);
    CHECK(error_message([&] { compare_runs(a, fewer, {}); }) ==
          "40 and 39 translations, but 40 references; they must be as many");
    CHECK(mentions(error_message([&] { compare_runs(a, place.path() / "none", {}); }), "holds no completed run"));
  }
}

TEST_CASE("A comparison that means nothing is refused") {
  const Lines one = {"a"};
  ComparisonOptions options;
  options.samples = 1;
  CHECK(error_message([&] { compare_translations(one, one, one, {}, options); }) ==
        "samples must be 2 or more, but it is 1");
  options.samples = 0;
  options.seed = 0;
  CHECK(mentions(error_message([&] { compare_translations(one, one, one, {}, options); }), "seed must be 1 or more"));
  options.seed = 1;
  CHECK(error_message([&] { compare_translations({}, {}, {}, {}, options); }) ==
        "There are no translations to compare");
  CHECK(mentions(error_message([&] { compare_translations({"\xff"}, one, one, {}, options); }),
                 "The translations cannot be compared"));
}
