#include "sacrebleu/ter.h"

#include <random>

#include "sacrebleu/ter_search.h"
#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

int plain_distance(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int best = std::min({diagonal + (a[i - 1] == b[j - 1] ? 0 : 1), row[j] + 1, row[j - 1] + 1});
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row.back();
}

TEST_CASE("TER by hand", "[sacrebleu]") {
  const TER ter;
  CHECK(ter.sentence_score("a b c d", {"a b c d"}).score == 0);
  CHECK(ter.sentence_score("a b x d", {"a b c d"}).score == Approx(25));
  // Snover et al., 2006: moving "this week" is one edit, whatever its length and distance.
  const auto score =
      ter.sentence_score("this week the saudis denied information published in the new york times",
                         {"saudi arabia denied this week information published in the american new york times"});
  CHECK(score.num_edits == 4);
  CHECK(score.ref_length == 13);
  CHECK(ter.sentence_score("a b", {""}).score == 100);
  CHECK(ter.sentence_score("", {""}).score == 0);
  CHECK(ter.sentence_score("a b c d", {"x y", "a b c d"}).ref_length == 3);
}

TEST_CASE("Without a band the distance is Levenshtein's", "[sacrebleu]") {
  std::mt19937 random(1);
  BandedEditDistance distances;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint32_t> a(random() % 24), b(1 + random() % 24);
    for (auto& word : a) word = random() % 6;
    for (auto& word : b) word = random() % 6;
    distances.reset(b, a.size(), 6);
    REQUIRE(distances.set_base(a) == plain_distance(a, b));
    if (a.size() < 2) continue;
    auto swapped = a;
    const std::size_t i = random() % (a.size() - 1);
    std::swap(swapped[i], swapped[i + 1]);
    REQUIRE(distances.distance(swapped, i, i + 2) == plain_distance(swapped, b));
  }
}

TEST_CASE("Inside a band, rearrangements cost the same as a hypothesis of their own", "[sacrebleu]") {
  std::mt19937 random(2);
  BandedEditDistance shared, fresh;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> a(30 + random() % 60), b(26 + random() % 90);
    for (auto& word : a) word = random() % 40;
    for (auto& word : b) word = random() % 40;
    shared.reset(b, a.size(), 40);
    shared.set_base(a);
    auto moved = a;
    std::size_t from = random() % a.size(), to = random() % a.size();
    if (from > to) std::swap(from, to);
    std::rotate(moved.begin() + static_cast<long>(from), moved.begin() + static_cast<long>(to), moved.end());
    fresh.reset(b, a.size(), 40);
    REQUIRE(shared.distance(moved, from, a.size()) == fresh.set_base(moved));
  }
}

TEST_CASE("Options of TER and their signature", "[sacrebleu]") {
  TerOptions options;
  options.normalized = options.no_punct = true;
  CHECK(TER(options).signature(1).format(/*shorter=*/true) == "#:1|c:lc|t:tercom|nr:yes|pn:no|as:no|v:2.6.0");
  CHECK(tercom_tokenize("Nima's, the \"new\" one.", options) == "nima's the new one");
  options.case_sensitive = true;
  CHECK(TER(options).sentence_score("A", {"a"}).score == 100);
}

TEST_CASE("References are tokenised twice, as in the original", "[sacrebleu]") {
  TerOptions options;
  options.normalized = options.no_punct = true;
  CHECK(TER(options).sentence_score("x", {"Nima's, x"}).ref_length == 3);
}

TEST_CASE("A line without reference is refused", "[sacrebleu]") {
  using Streams = std::vector<std::vector<std::optional<std::string>>>;
  expect_error([] { (void)TER().corpus_score({"a"}, Streams{{std::nullopt}}); }, ErrorKind::zero_division,
               "no reference");
}

TEST_CASE("TER stays bounded on long lines", "[sacrebleu]") {
  std::mt19937 random(3);
  std::string hypothesis, reference;
  for (int i = 0; i < 2000; ++i) {
    hypothesis += "w" + std::to_string(random() % 30) + ' ';
    reference += "w" + std::to_string(random() % 30) + ' ';
  }
  CHECK(TER().sentence_score(hypothesis, {reference}).num_edits > 0);
}

}  // namespace
}  // namespace sacrebleu
