#include <algorithm>
#include <cmath>

#include "experiments/evaluation/evaluate.h"
#include "experiments/spec/metrics.h"
#include "support/json.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

using namespace attnlab;
using namespace attnlab::evaluation;

namespace {

using Lines = std::vector<std::string>;

bool warns_of(const TranslationScores& scores, const std::string& part) {
  return std::any_of(scores.warnings.begin(), scores.warnings.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("Scores and signatures equal sacreBLEU's") {
  const Json file = read_json(ATTNLAB_TESTS_DIR "/experiments/evaluation/data/bleu_case.json", "test data");
  const auto hypotheses = file["hypotheses"].get<Lines>(), references = file["references"].get<Lines>();
  for (const Json& expected : file["cases"]) {
    spec::EvaluationConfig config;
    config.metrics = {"bleu", "chrf", "ter"};
    config.lowercase = expected["lowercase"].get<bool>();
    config.bleu_tokenize = expected["tokenize"].get<std::string>();
    const TranslationScores scores = score_translations(hypotheses, references, config);
    for (const std::string& metric : config.metrics) {
      INFO(metric << " " << config.bleu_tokenize << " " << config.lowercase);
      CHECK(scores.metrics.at(metric) == Approx(expected["scores"][metric].get<double>()).epsilon(1e-9));
      CHECK(scores.signatures.at(metric) == expected["signatures"][metric].get<std::string>());
    }
    CHECK(scores.metrics.at("exact") == Approx(100.0 / 6));
    CHECK(scores.signatures.count("exact") == 0);
  }
}

TEST_CASE("multi_bleu is what multi-bleu.perl prints, and sacreBLEU's number without tokenizer and smoothing") {
  const Json cases = read_json(ATTNLAB_TESTS_DIR "/experiments/evaluation/data/multi_bleu_case.json", "test data");
  int different = 0;
  for (const Json& expected : cases) {
    INFO(expected["name"]);
    spec::EvaluationConfig config;
    config.metrics = {"multi_bleu"};
    config.lowercase = expected["lowercase"].get<bool>();
    const auto scores =
        score_translations(expected["hypotheses"].get<Lines>(), expected["references"].get<Lines>(), config);
    const double score = scores.metrics.at("multi_bleu");
    CHECK(score == Approx(expected["sacrebleu"].get<double>()).epsilon(1e-9));
    CHECK(scores.signatures.at("multi_bleu") == expected["signature"].get<std::string>());
    // Two decimals are printed. Blanks and, with -lc, capitals beyond ASCII are letters like others to the script.
    const bool beyond_ascii = expected["name"].get<std::string>().find("beyond ASCII") != std::string::npos;
    CHECK((std::abs(score - expected["script"].get<double>()) > 0.0051) == beyond_ascii);
    different += beyond_ascii ? 1 : 0;
  }
  CHECK(cases.size() == 8);
  CHECK(different == 2);
}

TEST_CASE("multi_bleu goes by evaluation.lowercase alone, and does not warn of the tokens that it is for") {
  const Lines text(120, "Ein Hund läuft .");
  spec::EvaluationConfig config;
  config.metrics = {"multi_bleu"};
  config.bleu_tokenize = "char";
  const TranslationScores scores = score_translations(text, text, config);
  CHECK(scores.metrics.at("multi_bleu") == Approx(100));
  CHECK(scores.signatures.at("multi_bleu") == "nrefs:1|case:mixed|eff:no|tok:none|smooth:none|version:2.6.0");
  CHECK(scores.warnings.empty());
}

TEST_CASE("Every score that the spec knows is computed, higher for a better translation where it says so") {
  const Lines references = {"ein hund läuft über das gras .", "zwei männer spielen im park ."};
  const Lines good = {"ein hund läuft über das gras .", "zwei männer spielen im garten ."};
  const Lines poor = {"ein hund läuft über den hof .", "zwei männer spielen in einem garten ."};
  for (const spec::Choice& score : spec::score_names()) {
    INFO(score.name);
    spec::EvaluationConfig config;
    config.metrics = {score.name};
    const auto of = [&](const Lines& lines) {
      return score_translations(lines, references, config).metrics.at(score.name);
    };
    CHECK(of(good) != of(poor));
    CHECK((of(good) > of(poor)) == (spec::find_score(score.name)->better == spec::Better::higher));
  }
}

TEST_CASE("Only the metrics that are asked for are computed") {
  const TranslationScores scores = score_translations({"a b c d e"}, {"a b c d e"}, {});
  CHECK(scores.metrics.size() == 2);
  CHECK(scores.metrics.at("bleu") == Approx(100));
  CHECK(scores.metrics.at("exact") == 100);
  CHECK(scores.warnings.empty());
}

TEST_CASE("Lines are exact when their words are the same, whatever the blanks between them and at the ends") {
  const Lines hypotheses = {"a b", "c", "d  e", "f", ""};
  const auto exact = [&](const Lines& references) {
    return score_translations(hypotheses, references, {}).metrics.at("exact");
  };
  CHECK(exact({"a b ", " c", "d\te", "f\r", "  "}) == 100);
  CHECK(exact({"ab", "c", "d e", "F", "."}) == 40);
}

TEST_CASE("Output that looks tokenised or keeps subword marks is warned of") {
  const TranslationScores many = score_translations(Lines(120, "Hello , world ."), Lines(120, "Hello, world."), {});
  CHECK(warns_of(many, "forgot to detokenize"));
  CHECK(warns_of(many, "120 of 120 translations end with a period apart"));
  CHECK(warns_of(score_translations(Lines(3, "Hello , world ."), Lines(3, "Hello, world."), {}), "looks tokenised"));
  CHECK(warns_of(score_translations({"\u2581Das \u2581Haus"}, {"Das Haus"}, {}),
                 "1 of 1 translations contain the subword mark '\u2581'"));
  CHECK(warns_of(score_translations({"Das Ha@@ us", "ja"}, {"Das Haus", "ja"}, {}),
                 "1 of 2 translations contain the subword mark '@@'"));
  CHECK(score_translations(Lines(3, "ja ."), Lines(3, "ja ."), {}).warnings.empty());  // the data is like that
}

TEST_CASE("What cannot be scored is refused") {
  using attnlab::tests::error_message;
  spec::EvaluationConfig config;
  CHECK(error_message([&] { score_translations({"a"}, {}, config); }) ==
        "1 translations and 0 references; they must be as many");
  CHECK(error_message([&] { score_translations({}, {}, config); }) == "There are no translations to score");
  config.metrics = {"rouge"};
  CHECK(error_message([&] { score_translations({"a"}, {"a"}, config); }) ==
        "evaluation.metrics names 'rouge'; known are bleu, multi_bleu, chrf, ter");
  config.metrics = {"bleu"};
  config.bleu_tokenize = "14b";
  CHECK(error_message([&] { score_translations({"a"}, {"a"}, config); }) != "(no error)");
}
