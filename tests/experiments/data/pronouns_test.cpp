#include "experiments/data/generate/pronouns.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "experiments/data/generate/pronouns/german.h"
#include "experiments/data/generate/pronouns/lexicon.h"
#include "tests/support/catch.h"

namespace attnlab::data::pronouns {
namespace {

using Alignment = std::vector<std::pair<int, int>>;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word.ends_with(',') || word.ends_with('.') ? word.substr(0, word.size() - 1) : word);
  return words;
}

Corpus corpus_of(int64_t train_pairs) {
  spec::DataConfig config;
  config.generator = "pronouns";
  config.train_pairs = train_pairs;
  return generate(config);
}

/// "alte", "altes", "alten", ...
bool is_attribute(const std::string& word) {
  return std::any_of(attributes().begin(), attributes().end(),
                     [&](const Adjective& a) { return word.starts_with(a.german); });
}

const Noun& noun(std::string_view english) {
  return *std::find_if(nouns().begin(), nouns().end(), [&](const Noun& n) { return n.english == english; });
}

/// The gender that native speakers of German give each noun, written down apart from the lexicon: der-, die- and
/// das-words.
const std::set<std::string> kMasculine = {
    "Mann",  "Junge",  "Bauer",   "Arzt",  "Jäger", "Hund",  "Löwe",      "Bär",   "Igel",   "Fuchs", "Esel",
    "Weg",   "Platz",  "Hof",     "Fluss", "Bach",  "Sumpf", "Garten",    "Wald",  "Stall",  "Pokal", "Ball",
    "Stuhl", "Koffer", "Schrank", "Korb",  "Bus",   "Zug",   "Lastwagen", "Apfel", "Kuchen", "Käse"};
const std::set<std::string> kFeminine = {
    "Frau",   "Lehrerin", "Künstlerin", "Katze",     "Kuh",         "Ziege",   "Maus",  "Ente",    "Straße",
    "Brücke", "Wiese",    "Bucht",      "Scheune",   "Küche",       "Höhle",   "Lampe", "Vase",    "Gitarre",
    "Uhr",    "Kiste",    "Tasche",     "Schublade", "Straßenbahn", "Kutsche", "Suppe", "Karotte", "Wurst"};
const std::set<std::string> kNeuter = {
    "Mädchen", "Kind", "Tier",    "Pferd", "Schaf", "Schwein", "Kamel",      "Feld",   "Tal",
    "Meer",    "Haus", "Zimmer",  "Zelt",  "Buch",  "Bild",    "Instrument", "Kissen", "Schließfach",
    "Fass",    "Auto", "Fahrrad", "Taxi",  "Brot",  "Fleisch", "Ei"};

}  // namespace

TEST_CASE("The two famous sentences are the first of the test set and in no other") {
  const Corpus corpus = corpus_of(4000);
  CHECK(corpus.test.source[0] == "The animal didn't cross the street because it was too tired.");
  CHECK(corpus.test.target[0] == "Das Tier überquerte die Straße nicht, weil es zu müde war.");
  CHECK(corpus.test.source[1] == "The animal didn't cross the street because it was too wide.");
  CHECK(corpus.test.target[1] == "Das Tier überquerte die Straße nicht, weil sie zu breit war.");
  for (const Split* split : {&corpus.train, &corpus.valid})
    for (size_t i = 0; i < 2; ++i)
      CHECK(std::find(split->source.begin(), split->source.end(), corpus.test.source[i]) == split->source.end());
}

TEST_CASE("Their alignment and antecedent are those that one would draw by hand") {
  // The0 animal1 didn't2 cross3 the4 street5 because6 it7 was8 too9 tired10
  // Das0 Tier1 überquerte2 die3 Straße4 nicht5 weil6 es7 zu8 müde9 war10
  const Alignment expected = {{0, 0}, {1, 1}, {2, 5}, {3, 2}, {4, 3}, {5, 4}, {6, 6}, {7, 7}, {8, 10}, {9, 8}, {10, 9}};
  const std::vector<Sentence> famous = famous_pronouns();
  REQUIRE(famous.size() == 2);
  for (const Sentence& sentence : famous) {
    CHECK(sentence.gold.alignment == expected);
    CHECK(sentence.gold.pronoun == 7);
  }
  CHECK(famous[0].gold.antecedent == 1);
  CHECK(famous[1].gold.antecedent == 5);
}

TEST_CASE("Every noun has the gender it has in German") {
  CHECK(kMasculine.size() + kFeminine.size() + kNeuter.size() == nouns().size());
  for (const Noun& n : nouns()) {
    const std::set<std::string>& right = n.gender == Gender::masculine  ? kMasculine
                                         : n.gender == Gender::feminine ? kFeminine
                                                                        : kNeuter;
    CHECK(right.contains(std::string(n.german)));
  }
}

TEST_CASE("Articles, endings and pronouns by gender and case") {
  struct Row {
    Gender gender;
    Case grammatical_case;
    std::string definite, definite_ending, indefinite, indefinite_ending, pronoun;
  };
  constexpr Gender m = Gender::masculine, f = Gender::feminine, n = Gender::neuter;
  const std::vector<Row> rows = {
      {m, Case::nominative, "der", "e", "ein", "er", "er"},  {f, Case::nominative, "die", "e", "eine", "e", "sie"},
      {n, Case::nominative, "das", "e", "ein", "es", "es"},  {m, Case::accusative, "den", "en", "einen", "en", "ihn"},
      {f, Case::accusative, "die", "e", "eine", "e", "sie"}, {n, Case::accusative, "das", "e", "ein", "es", "es"},
      {m, Case::dative, "dem", "en", "einem", "en", "ihm"},  {f, Case::dative, "der", "en", "einer", "en", "ihr"},
      {n, Case::dative, "dem", "en", "einem", "en", "ihm"}};
  for (const Row& row : rows) {
    CHECK(german_article(Article::definite, row.gender, row.grammatical_case) == row.definite);
    CHECK(german_ending(Article::definite, row.gender, row.grammatical_case) == row.definite_ending);
    CHECK(german_article(Article::indefinite, row.gender, row.grammatical_case) == row.indefinite);
    CHECK(german_ending(Article::indefinite, row.gender, row.grammatical_case) == row.indefinite_ending);
    CHECK(german_pronoun(row.gender, row.grammatical_case) == row.pronoun);
  }
}

TEST_CASE("Weak nouns change outside the nominative") {
  CHECK(german_noun(noun("lion"), Case::nominative) == "Löwe");
  CHECK(german_noun(noun("lion"), Case::accusative) == "Löwen");
  CHECK(german_noun(noun("boy"), Case::dative) == "Jungen");
  CHECK(german_noun(noun("dog"), Case::accusative) == "Hund");
}

TEST_CASE("What follows \"it\" fits one noun of the main clause only") {
  const auto fits_both = [](const auto& table, Kinds one, Kinds other) {
    return std::any_of(table.begin(), table.end(),
                       [&](const auto& entry) { return (entry.fits & one) != 0 && (entry.fits & other) != 0; });
  };
  for (const Frame& frame : frames()) {
    const std::vector<Kinds> roles = {frame.subject, frame.object, frame.place};
    for (size_t a = 0; a < 3; ++a)
      for (size_t b = a + 1; b < 3; ++b) {
        CHECK_FALSE(fits_both(predicates(), roles[a], roles[b]));
        CHECK_FALSE(fits_both(participles(), roles[a], roles[b]));
      }
  }
}

TEST_CASE("The lexicon is whole: no word twice, and each kind has what a sentence may ask of it") {
  std::set<std::string_view> english, german;
  for (const Noun& n : nouns()) {
    CHECK(english.insert(n.english).second);
    CHECK(german.insert(n.german).second);
    const auto some_fit = [&](const auto& table) {
      return std::any_of(table.begin(), table.end(), [&](const auto& entry) { return (entry.fits & n.kind) != 0; });
    };
    CHECK(some_fit(attributes()));
    if (n.kind == kHuman) continue;
    CHECK(some_fit(predicates()));
    CHECK(some_fit(participles()));
    CHECK(some_fit(perceptions()));
    CHECK(some_fit(postures()));
  }
}

TEST_CASE("In every pair the German pronoun has the gender of the gold antecedent") {
  const Corpus corpus = corpus_of(2000);
  std::map<Gender, std::set<std::string>> pronouns = {
      {Gender::masculine, {"er", "ihn"}}, {Gender::feminine, {"sie"}}, {Gender::neuter, {"es"}}};
  std::map<Gender, int> count;
  for (size_t i = 0; i < corpus.train.source.size(); ++i) {
    const auto source = words_of(corpus.train.source[i]), target = words_of(corpus.train.target[i]);
    const Gold& gold = corpus.train.gold[i];
    REQUIRE(source.at(static_cast<size_t>(gold.pronoun)) == "it");
    const Noun& antecedent = noun(source.at(static_cast<size_t>(gold.antecedent)));
    CHECK(antecedent.kind != kHuman);
    const auto link = std::find_if(gold.alignment.begin(), gold.alignment.end(),
                                   [&](const auto& l) { return l.first == gold.pronoun; });
    REQUIRE(link != gold.alignment.end());
    CHECK(pronouns[antecedent.gender].contains(target.at(static_cast<size_t>(link->second))));
    ++count[antecedent.gender];
  }
  CHECK(count.size() == 3);
  for (const auto& [gender, pairs] : count) CHECK(pairs > 400);
}

TEST_CASE("Every article agrees with its noun") {
  // After "der", "den", ... and perhaps an adjective stands a noun whose gender and some case give that article.
  std::map<std::string, const Noun*> by_german;
  for (const Noun& n : nouns()) {
    by_german[std::string(n.german)] = &n;
    if (!n.oblique.empty()) by_german[std::string(n.oblique)] = &n;
  }
  const Corpus corpus = corpus_of(2000);
  int checked = 0;
  for (const std::string& line : corpus.train.target) {
    const auto words = words_of(line);
    for (size_t i = 1; i < words.size(); ++i) {
      const auto found = by_german.find(words[i]);
      if (found == by_german.end()) continue;
      const bool attributed = is_attribute(words[i - 1]);
      std::string article = words[i - (attributed ? 2 : 1)];
      article[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(article[0])));
      bool agrees = false;
      for (const Case c : {Case::nominative, Case::accusative, Case::dative}) {
        if (german_noun(*found->second, c) != words[i]) continue;
        for (const Article a : {Article::definite, Article::indefinite})
          agrees |= german_article(a, found->second->gender, c) == article;
        agrees |= c == Case::dative && article == "im" && found->second->gender != Gender::feminine;
        agrees |= c == Case::accusative && article == "ins" && found->second->gender == Gender::neuter;
      }
      INFO(line);
      CHECK(agrees);
      ++checked;
    }
  }
  CHECK(checked > 4000);
}

TEST_CASE(
    "The corpus has what makes it hard: relative clauses, adverbs, both kinds of article, and longer test sentences") {
  const Corpus corpus = corpus_of(2000);
  const auto share = [](const std::vector<std::string>& lines, std::string_view part) {
    return static_cast<double>(
               std::count_if(lines.begin(), lines.end(),
                             [&](const std::string& line) { return line.find(part) != std::string::npos; })) /
           static_cast<double>(lines.size());
  };
  CHECK(share(corpus.train.source, " that ") > 0.2);
  CHECK(share(corpus.train.source, "couldn't") > 0.1);
  CHECK(share(corpus.train.source, " had ") > 0.2);
  CHECK(share(corpus.train.target, ", obwohl ") > 0.1);
  CHECK(share(corpus.train.target, ", nachdem ") > 0.05);
  CHECK(share(corpus.train.target, " hatte.") > 0.2);
  const auto share_of_long = [](const std::vector<std::string>& lines) {
    return static_cast<double>(std::count_if(lines.begin(), lines.end(),
                                             [](const std::string& line) { return words_of(line).size() > 21; })) /
           static_cast<double>(lines.size());
  };
  CHECK(share_of_long(corpus.train.source) < 0.03);
  CHECK(share_of_long(corpus.test.source) > 0.06);
}

}  // namespace attnlab::data::pronouns
