#include "sacrebleu/tokenizers/external.h"

#include <filesystem>

#include "sacrebleu/bleu.h"
#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

std::optional<std::string> folder_of_models(const std::string& name) {
  return name == "SACREBLEU" ? std::optional<std::string>(ATTNLAB_TESTS_DIR "/sacrebleu/data/spm") : std::nullopt;
}

std::optional<std::string> empty_folder(const std::string& name) {
  return name == "SACREBLEU" ? std::optional<std::string>("/nonexistent") : std::nullopt;
}

TEST_CASE("Tokenizers without their model say where it belongs", "[sacrebleu]") {
  const auto factory = external_tokenizers(empty_folder);
  for (const char* name : {"spm", "flores101", "flores200", "spBLEU-1K"}) {
    expect_error([&] { factory(name); }, ErrorKind::runtime, "/nonexistent/models/");
  }
  CHECK(factory("13a") == nullptr);
}

TEST_CASE("SentencePiece tokenizers use the model in the folder", "[sacrebleu]") {
  // A small model of our own stands in for that of FLORES-200; expected pieces by the Python package sentencepiece.
  BleuOptions options;
  options.tokenize = "flores200";
  options.tokenizers = external_tokenizers(folder_of_models);
  const BLEU bleu(options);
  CHECK(bleu.preprocess("the cat sat on the mat") == "▁t h e ▁ c at ▁s at ▁o n ▁t h e ▁m at");
  CHECK(bleu.corpus_score({"the cat sat on the mat"}, {{"the cat sat on the mat"}}).signature.format() ==
        "nrefs:1|case:mixed|eff:no|tok:flores200|smooth:exp|version:2.6.0");
}

TEST_CASE("spm is announced as flores101 and reads its model", "[sacrebleu]") {
  std::vector<std::string> messages;
  BleuOptions options;
  options.tokenize = "spm";
  options.log = [&](LogLevel, const std::string& message) { messages.push_back(message); };
  options.tokenizers = external_tokenizers(folder_of_models);
  expect_error([&] { BLEU{options}; }, ErrorKind::runtime, "sacrebleu_tokenizer_spm.model");
  CHECK(messages ==
        std::vector<std::string>{"Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future."});
}

TEST_CASE("A broken model is refused", "[sacrebleu]") {
  expect_error([] { make_sentencepiece_tokenizer("/nonexistent.model", "x"); }, ErrorKind::runtime,
               "cannot read the SentencePiece model");
}

}  // namespace
}  // namespace sacrebleu
