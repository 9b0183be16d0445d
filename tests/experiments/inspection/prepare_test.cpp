// From text to sentences, with a real tokenizer; the files of a training; and all analyses together.

#include "experiments/inspection/prepare.h"

#include <cmath>

#include "experiments/checkpoint/safetensors.h"
#include "experiments/inspection/analyse.h"
#include "experiments/inspection/training_inspector.h"
#include "tests/experiments/inspection/toy.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tokenizer/train.h"

namespace attnlab::inspection {
namespace {

const std::vector<std::string>& lines() {
  static const std::vector<std::string> all = {"the animal was too tired", "the street was too wide",
                                               "it was the animal"};
  return all;
}

tokenizer::Tokenizer make_tokenizer() {
  std::vector<std::string_view> text(lines().begin(), lines().end());
  tokenizer::TrainOptions options;
  options.vocab_size = 32;
  return tokenizer::Tokenizer::from_bytes(tokenizer::train(text, options), "test");
}

checkpoint::TrainedRun make_run() {
  checkpoint::TrainedRun run;
  run.tokenizers.source = run.tokenizers.target = make_tokenizer();
  auto options = toy::options();
  options.source_vocab = options.target_vocab = run.tokenizers.source.vocab_size();
  run.model = toy::model(options);
  run.config.decoding.beam = 2;
  run.config.decoding.max_length_extra = 5;
  return run;
}

std::vector<std::string> pieces_of(const Tokens& tokens) {
  std::vector<std::string> pieces;
  for (const Token& token : tokens) pieces.push_back(token.piece);
  return pieces;
}

TEST_CASE("Given targets are shifted by one between what is read and what is predicted") {
  checkpoint::TrainedRun run = make_run();
  const auto sentences = prepare_sentences(run, lines(), lines());
  REQUIRE(sentences.size() == 3);
  const Sentence& first = sentences[0];
  CHECK(first.source_text == lines()[0]);
  CHECK(first.source.back().special);
  CHECK(first.source.back().id == run.tokenizers.source.eos());
  CHECK(first.input.front().id == run.tokenizers.target.bos());
  CHECK(first.predicted.back().id == run.tokenizers.target.eos());
  CHECK(first.input.size() == first.predicted.size());
  for (size_t t = 1; t < first.input.size(); ++t) CHECK(first.input[t].id == first.predicted[t - 1].id);
  CHECK(first.source[first.source.size() - 2].word == 4);
  std::string joined;
  for (const std::string& piece : pieces_of(first.source)) joined += piece;
  CHECK(joined == "▁the▁animal▁was▁too▁tired</s>");
}

TEST_CASE("Without targets the run translates") {
  checkpoint::TrainedRun run = make_run();
  const auto sentences = prepare_sentences(run, {lines()[0], ""}, std::nullopt);
  tokenizer::Ids ids;
  for (const Token& token : sentences[0].predicted) ids.push_back(token.id);
  CHECK(sentences[0].target_text == run.tokenizers.target.decode(ids));
  CHECK(sentences[1].source.size() == 1);  // an empty line is its end mark
}

TEST_CASE("Unequal counts are refused, long and broken lines are said") {
  checkpoint::TrainedRun run = make_run();
  CHECK(tests::mentions(tests::error_message([&] { prepare_sentences(run, lines(), std::vector<std::string>{"one"}); }),
                        "3 sources but 1 targets"));
  run.config.data.max_pieces = 3;
  std::vector<std::string> warnings;
  const auto sentences = prepare_sentences(run, {"the animal was \xE2\x80 tired"}, std::vector<std::string>{"it"},
                                           [&](const std::string& message) { warnings.push_back(message); });
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("source 1: ") == 0);
  CHECK(sentences[0].source.size() == 4);
  CHECK(sentences[0].source_text == "the animal was \xEF\xBF\xBD tired");
}

TEST_CASE("A training's attention is written every so many steps and disturbs nothing") {
  const tests::TemporaryFolder folder;
  checkpoint::TrainedRun run = make_run();
  data::Dataset dataset;
  dataset.source_tokenizer = dataset.target_tokenizer = run.tokenizers.source;
  dataset.corpus.valid.source = dataset.corpus.valid.target = lines();
  std::vector<data::EncodedPair> valid;
  for (const std::string& line : lines()) {
    tokenizer::Ids ids = run.tokenizers.source.encode(line);
    ids.push_back(run.tokenizers.source.eos());
    valid.push_back({ids, ids});
  }
  dataset.valid = valid;
  run.model->train();
  TrainingInspector inspector({.every = 2, .sentences = 2, .analyse = false}, folder / "attention", dataset);
  inspector.stepped(run.model, 1);
  CHECK_FALSE(std::filesystem::exists(folder / "attention"));
  inspector.stepped(run.model, 2);
  CHECK(run.model->is_training());
  const auto file = checkpoint::load_tensors(folder / "attention/step-00000002.safetensors");
  CHECK(file.tensors.size() == 2 * 3 * 2);
  CHECK(file.metadata.at("step") == "2");
  TrainingInspector never({}, folder / "other", dataset);
  never.stepped(run.model, 2);
  CHECK_FALSE(std::filesystem::exists(folder / "other"));
}

TEST_CASE("All analyses fill what they promise") {
  checkpoint::TrainedRun run = make_run();
  AnalysisInput input;
  input.sentences = input.validation = prepare_sentences(run, lines(), lines());
  input.references = lines();
  input.gold.resize(3);
  for (data::Gold& gold : input.gold) gold.alignment = {{0, 0}, {1, 1}, {2, 2}};
  input.gold[2].pronoun = 0;
  input.gold[2].antecedent = 3;
  input.links = gold_links(input.gold);
  AnalysisOptions options;
  options.bleu = options.pruning = true;
  options.points = 3;
  std::vector<std::string> heard;
  const HeadReport report = analyse(run, input, options, [&](const std::string& what, double) {
    if (heard.empty() || heard.back() != what) heard.push_back(what);
  });
  REQUIRE(report.heads.size() == 24);
  CHECK(heard.front() == "attention");
  CHECK(heard.back() == "pruning");
  CHECK(report.sentences == 3);
  CHECK(report.aligned_sentences == 3);
  CHECK(report.pronouns == 1);
  CHECK(std::isfinite(report.loss));
  CHECK(report.jensen_shannon.at(AttentionKind::decoder).sizes() == torch::IntArrayRef({8, 8}));
  for (const HeadSummary& head : report.heads) {
    CHECK(head.alignment_error_rate.has_value() == (head.address.kind == AttentionKind::cross));
    CHECK(head.importance.value() > 0);
    CHECK(head.loss_change.has_value());
    CHECK(head.bleu_change.has_value());
  }
  REQUIRE(report.pruning.size() == 25);
  CHECK(report.pruning.front().loss == Approx(report.loss));
  CHECK(report.pruning.back().kept == 0);
  CHECK(report.pruning.back().bleu.has_value());
}

}  // namespace
}  // namespace attnlab::inspection
