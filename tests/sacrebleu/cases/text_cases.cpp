#include <fstream>

#include "tests/sacrebleu/cases/make_metric.h"
#include "tests/sacrebleu/cases/run_cases.h"

namespace sacrebleu::cases {
namespace {

class Texts {
 public:
  explicit Texts(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / (name + ".txt"); }
  const std::vector<std::string>& operator[](const std::string& name) {
    auto& lines = texts_[name];
    if (!lines.empty()) return lines;
    std::ifstream file(path(name));
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::vector<std::string>> texts_;
};

std::string describe(const Json& test) {
  return test["system"].get<std::string>() + ' ' + test["metric"].get<std::string>() + ' ' + test["options"].dump();
}

void check_corpus(const Json& test, Texts& texts, Report& report) {
  const auto names =
      test.contains("refs") ? test["refs"].get<std::vector<std::string>>() : std::vector<std::string>{"ref"};
  report.begin(describe(test) + ", " + std::to_string(names.size()) + " references");
  std::vector<std::vector<std::string>> references;
  for (const auto& name : names) {
    if (!std::filesystem::exists(texts.path(name))) return report.skip("there is no " + texts.path(name).string());
    references.push_back(texts[name]);
  }
  const auto metric = make_metric(test["metric"], test["options"]);
  const Score score = metric->evaluate(texts[test["system"]], references);
  const Json& extra = test["extra"];
  report.number("score", test["score"], score.score);
  report.text("signature", extra["signature"], score.signature.format());
  report.text("short signature", extra["signature_short"], score.signature.format(/*shorter=*/true));
  report.text("text", extra["text_w2"], score.format());
  const auto sums = metric->statistics(texts[test["system"]], references).sum();
  if (extra.contains("num_edits")) report.numbers("sums", {extra["num_edits"], extra["ref_length"]}, sums);
  if (extra.contains("sys_len")) report.numbers("lengths", {extra["sys_len"], extra["ref_len"]}, {sums[0], sums[1]});
}

void check_sentences(const Json& test, Texts& texts, Report& report) {
  report.begin("sentences of " + describe(test));
  const auto metric = make_metric(test["metric"], test["options"]);
  const auto& lines = texts[test["system"]];
  for (std::size_t i = 0; i < test["scores"].size(); ++i) {
    report.number("line " + std::to_string(i + 1), test["scores"][i],
                  metric->evaluate_sentence(lines.at(i), {texts["ref"].at(i)}).score);
  }
}

}  // namespace

void run_text_cases(const Json& cases, const std::filesystem::path& folder, Report& report) {
  Texts texts(folder);
  for (const auto& test : cases["expected"]) check_corpus(test, texts, report);
  for (const auto& test : cases["sentence"]) check_sentences(test, texts, report);
}

}  // namespace sacrebleu::cases
