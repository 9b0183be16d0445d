// Words, alignment error rate and coreference.

#include "experiments/inspection/analyses/words.h"

#include <cmath>
#include <fstream>

#include "experiments/inspection/analyses/alignment.h"
#include "experiments/inspection/analyses/coreference.h"
#include "experiments/inspection/sentence.h"
#include "support/error.h"
#include "tests/experiments/inspection/toy.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::inspection {
namespace {

TEST_CASE("Words begin at the blank sign, and doubled blanks begin one word") {
  CHECK(words_of({"▁un", "der", "▁the", "▁", "hill"}) == std::vector<int64_t>{0, 0, 1, 2, 2});
  CHECK(words_of({"▁", "▁", "▁a", "▁", "▁", "b"}) == std::vector<int64_t>{0, 0, 0, 1, 1, 1});
  CHECK(words_of({"no", "▁blank"}) == std::vector<int64_t>{0, 1});
  CHECK(words_of({}).empty());
}

TEST_CASE("Merging adds up the pieces of a key and averages the pieces of a query") {
  const Tokens queries = {{"▁a", 1, false, 0}, {"b", 2, false, 0}, {"</s>", 3, true, -1}};
  const Tokens keys = {{"▁x", 1, false, 0}, {"▁y", 2, false, 1}, {"z", 4, false, 1}, {"</s>", 3, true, -1}};
  const auto merged = merge_words(torch::tensor({{.1, .2, .3, .4}, {.5, .1, .1, .3}, {1., 0., 0., 0.}}), queries, keys);
  REQUIRE(merged.sizes() == torch::IntArrayRef({1, 2}));
  CHECK(merged[0][0].item<double>() == Approx(0.3));
  CHECK(merged[0][1].item<double>() == Approx(0.35));
  CHECK(strongest_links(merged) == std::vector<Link>{{1, 0}});
}

TEST_CASE("Alignment error rate of the textbook case") {
  // A = {0-0, 1-1, 2-2}, S = {0-0, 1-1}, P = S and {2-2, 2-3}: 1 - (2 + 3) / (3 + 2) = 0.
  AlignmentErrorRate perfect;
  perfect.add({{0, 0}, {1, 1}, {2, 2}}, {{{0, 0}, {1, 1}}, {{2, 2}, {2, 3}}});
  CHECK(perfect.value() == Approx(0));
  // A = {0-0, 2-1}, S = {0-0, 1-1}: 1 - (1 + 1) / (2 + 2) = 0.5.
  AlignmentErrorRate half;
  half.add({{0, 0}, {2, 1}}, {{{0, 0}, {1, 1}}, {}});
  CHECK(half.value() == Approx(0.5));
  half.add({{0, 0}, {1, 1}}, {{{0, 0}, {1, 1}}, {}});  // over both sentences: 1 - (3 + 3) / (4 + 4)
  CHECK(half.value() == Approx(0.25));
  CHECK(std::isnan(AlignmentErrorRate().value()));
}

TEST_CASE("Pharaoh files: sure and possible links, and mistakes by line") {
  const GoldLinks gold = parse_pharaoh("0-0 2?1 10p3", "file:1");
  CHECK(gold.sure == std::vector<Link>{{0, 0}});
  CHECK(gold.possible == std::vector<Link>{{2, 1}, {10, 3}});
  CHECK(parse_pharaoh("", "file:1").sure.empty());
  for (const char* bad : {"0", "0-", "-1-0", "a-b", "0-0x", "0:0", "99999999999-0"})
    CHECK_THROWS_AS(parse_pharaoh(bad, "file:7"), Error);
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "links") << "0-0 1-1\n\n1-0\r\n";
  const auto lines = read_pharaoh(folder / "links");
  REQUIRE(lines.size() == 3);
  CHECK(lines[1].sure.empty());
  CHECK(lines[2].sure == std::vector<Link>{{1, 0}});
  std::ofstream(folder / "marked") << "\uFEFF0-0 1-1\n";
  CHECK(read_pharaoh(folder / "marked").at(0).sure == std::vector<Link>{{0, 0}, {1, 1}});
  std::ofstream(folder / "wrong") << "0-0\n1-1 x\n";
  CHECK(tests::mentions(tests::error_message([&] { read_pharaoh(folder / "wrong"); }), "wrong:2: 'x' is no link"));
}

TEST_CASE("A link to a word that its sentence does not have is refused with file and line, on either side") {
  const std::vector<std::string> sources = {"a b", " a\t b  c", ""}, targets = {"x", "x y", " "};
  require_words({{{{0, 0}, {1, 0}}, {}}, {{{2, 1}}, {{0, 1}}}, {}}, sources, targets, "links");
  const auto refusal = [&](const std::vector<GoldLinks>& links) {
    return tests::error_message([&] { require_words(links, sources, targets, "links"); });
  };
  CHECK(tests::mentions(refusal({{}, {{{3, 0}}, {}}}), "links:2: ", "source word 3", "source sentence has 3 words"));
  CHECK(tests::mentions(refusal({{{{0, 0}}, {{0, 1}}}}), "links:1: ", "target word 1", "target sentence has 1 word,"));
  CHECK(tests::mentions(refusal({{}, {}, {{{0, 0}}, {}}}), "links:3: ", "source word 0", "has 0 words"));
}

/// Row t of cross-attention predicts target t: the diagonal links word t to word t.
TEST_CASE("A cross-attention row is credited to the token that it predicts") {
  const Sentence sentence = toy::sentence(0, 3, 3);
  AlignmentScorer scorer;
  scorer.add({sentence, {toy::maps(AttentionKind::cross, torch::eye(4))}}, {{{0, 0}, {1, 1}, {2, 2}}, {}});
  CHECK(scorer.heads().at({AttentionKind::cross, 0, 0}) == Approx(0));
  CHECK(scorer.layer_means().at(0) == Approx(0));
  CHECK(scorer.sentences() == 1);
  scorer.add({sentence, {toy::maps(AttentionKind::cross, torch::eye(4))}}, {{{5, 0}}, {}});
  CHECK(scorer.skipped() == 1);
}

TEST_CASE("A layer's mean can align where its heads do not") {
  const Sentence sentence = toy::sentence(0, 3, 1);
  // Each head has its largest weight on a wrong word, both have their second on word 1.
  const auto first = torch::tensor({{.55, .45, 0., 0.}, {0., 0., 0., 1.}}),
             second = torch::tensor({{0., .45, .55, 0.}, {0., 0., 0., 1.}});
  AlignmentScorer scorer;
  scorer.add({sentence, {{AttentionKind::cross, {0}, {0, 1}, torch::stack({first, second}).unsqueeze(0)}}},
             {{{1, 0}}, {}});
  CHECK(scorer.heads().at({AttentionKind::cross, 0, 0}) == Approx(1));
  CHECK(scorer.heads().at({AttentionKind::cross, 0, 1}) == Approx(1));
  CHECK(scorer.layer_means().at(0) == Approx(0));
}

TEST_CASE("Coreference: the pronoun's own word and special tokens do not compete") {
  const Sentence sentence = toy::sentence(0, 4, 4);
  data::Gold gold;
  gold.pronoun = 2;
  gold.antecedent = 0;
  gold.alignment = {{0, 0}, {2, 3}};
  auto encoder = torch::full({5, 5}, 0.2);
  encoder[2] = torch::tensor({.25, .1, .3, .05, .3});
  auto cross = torch::full({5, 5}, 0.2);
  cross[3] = torch::tensor({.4, .1, .3, .1, .1});
  auto decoder = torch::full({5, 5}, 0.2);
  decoder[3] = torch::tensor({.4, .1, .3, .2, 0.});  // columns: bos, t0, t1, t2, t3
  CoreferenceScorer scorer;
  const auto single = [](AttentionKind kind, const torch::Tensor& matrix) { return toy::maps(kind, matrix); };
  scorer.add({sentence,
              {single(AttentionKind::encoder, encoder), single(AttentionKind::decoder, decoder),
               single(AttentionKind::cross, cross)}},
             gold);
  const auto heads = scorer.heads();
  const CoreferenceScore in_encoder = heads.at({AttentionKind::encoder, 0, 0});
  CHECK(in_encoder.accuracy == 1);
  CHECK(in_encoder.share == Approx(0.25));
  CHECK(in_encoder.chance == Approx(1.0 / 3));
  CHECK(heads.at({AttentionKind::cross, 0, 0}).accuracy == 1);
  CHECK(heads.at({AttentionKind::cross, 0, 0}).chance == Approx(0.25));
  CHECK(heads.at({AttentionKind::decoder, 0, 0}).accuracy == 0);
  CHECK(heads.at({AttentionKind::decoder, 0, 0}).share == Approx(0.1));
  CHECK(heads.at({AttentionKind::decoder, 0, 0}).chance == Approx(1.0 / 3));
  scorer.add({sentence, {single(AttentionKind::encoder, torch::full({5, 5}, 0.2))}}, data::Gold{});
  CHECK(scorer.heads().at({AttentionKind::encoder, 0, 0}).pronouns == 1);
}

}  // namespace
}  // namespace attnlab::inspection
