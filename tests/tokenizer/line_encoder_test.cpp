#include "tokenizer/line_encoder.h"

#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tokenizer/train.h"

namespace attnlab::tokenizer {
namespace {

const std::vector<std::string> kText = {
    "the animal did not cross the street because it was too tired",
    "das Tier hat die Straße nicht überquert weil es zu müde war", "the street was too wide for the animal",
    "die Straße war zu breit für das Tier", "the cat and the dog and the tired cat"};

/// Lines that are no words between single blanks, or have more than letters in them.
std::vector<std::string> odd_lines() {
  return {"",
          " ",
          "  the",
          "the  cat",
          "the ",
          " the",
          "☃",
          "☃ ☃",
          "☃☃ a ☃",
          "</s> <s>a",
          "a</s>b <unk> ⁇",
          "漢字 かな a",
          "the\tcat",
          "\tt",
          "a▁b c▁",
          "▁ ▁a",
          "the \r",
          "e\u0301 \u0301x",
          "\xFF the \xE2\x80",
          std::string(70, 'q') + " a",
          std::string(5000, 't') + " the",
          std::string(3000, 't') + " " + std::string(3000, 'h')};
}

Tokenizer model_of(ModelType type, int64_t size, double coverage = 1.0) {
  return Tokenizer::from_bytes(train({kText.begin(), kText.end()}, {type, size, coverage, {}}), "model");
}

Ids ids_of(LineEncoder& encoder, std::string_view line) {
  const auto ids = encoder.encode(line);
  return {ids.begin(), ids.end()};
}

void check_same(const Tokenizer& model, Words words) {
  LineEncoder encoder(model, words);
  std::vector<std::string> lines = kText;
  for (std::string& line : odd_lines()) lines.push_back(std::move(line));
  for (int round = 0; round < 2; ++round)
    for (const std::string& line : lines) CHECK(ids_of(encoder, line) == model.encode(line));
}

}  // namespace

TEST_CASE("Remembered words give the ids of the whole line") {
  for (const int64_t size : {40, 60, 100}) check_same(model_of(ModelType::bpe, size), Words::separate);
  check_same(model_of(ModelType::bpe, 60, 0.98), Words::separate);
}

TEST_CASE("Models whose words depend on each other are asked for whole lines") {
  check_same(model_of(ModelType::unigram, 50), Words::joint);
  check_same(model_of(ModelType::word, 60), Words::joint);
  // Two unknown words are one id: word by word there would be two.
  LineEncoder joint(model_of(ModelType::word, 60), Words::joint);
  CHECK(ids_of(joint, "qqq rrr").size() == 1);
}

TEST_CASE("More words than are remembered are encoded all the same") {
  const Tokenizer model = model_of(ModelType::bpe, 60);
  LineEncoder encoder(model, Words::separate);
  for (int i = 0; i < 132'000; ++i) encoder.encode(std::to_string(i));
  CHECK(ids_of(encoder, "131999 the cat 131999") == model.encode("131999 the cat 131999"));
}

}  // namespace attnlab::tokenizer
