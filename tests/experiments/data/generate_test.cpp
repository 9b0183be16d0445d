#include <algorithm>
#include <set>
#include <sstream>

#include "experiments/data/generate/registry.h"
#include "experiments/spec/generators.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::data {
namespace {

using tests::error_message;
using tests::mentions;

spec::DataConfig config_of(const std::string& generator) {
  spec::DataConfig config;
  config.generator = generator;
  config.train_pairs = 800;
  config.valid_pairs = 60;
  config.test_pairs = 80;
  return config;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<int> numbers_of(const std::string& line) {
  std::vector<int> numbers;
  for (const std::string& word : words_of(line)) numbers.push_back(std::stoi(word));
  return numbers;
}

}  // namespace

TEST_CASE("Every generator makes as many pairs as asked for, and no sentence twice") {
  for (const Generator& generator : generators()) {
    INFO(generator.name);
    const Corpus corpus = generate(config_of(std::string(generator.name)));
    CHECK(corpus.train.source.size() == 800);
    CHECK(corpus.valid.source.size() == 60);
    CHECK(corpus.test.source.size() == 80);
    CHECK(corpus.train.read == 800);
    std::set<std::string> sources, targets;
    for (const Split* split : {&corpus.train, &corpus.valid, &corpus.test}) {
      CHECK(split->target.size() == split->source.size());
      CHECK(split->gold.size() == split->source.size());
      sources.insert(split->source.begin(), split->source.end());
      targets.insert(split->target.begin(), split->target.end());
    }
    CHECK(sources.size() == 940);
    CHECK(targets.size() == 940);
  }
}

TEST_CASE("The spec knows exactly the generators that there are") {
  std::vector<std::string> known, there;
  for (const spec::GeneratorVariant& variant : spec::generator_variants()) known.push_back(variant.name);
  for (const Generator& generator : generators()) there.emplace_back(generator.name);
  CHECK(known == there);
}

TEST_CASE("Generators draw as many symbols as the spec says, where it says that they have any") {
  for (const spec::GeneratorVariant& variant : spec::generator_variants()) {
    INFO(variant.name);
    spec::DataConfig fewer = config_of(variant.name);
    fewer.max_length -= 1;
    CHECK((generate(fewer).test.source != generate(config_of(variant.name)).test.source) == variant.has_symbols);
  }
}

TEST_CASE("Gold alignments name words that are there, and every target word has one") {
  for (const Generator& generator : generators()) {
    INFO(generator.name);
    const Corpus corpus = generate(config_of(std::string(generator.name)));
    for (size_t i = 0; i < corpus.test.source.size(); ++i) {
      const auto source = words_of(corpus.test.source[i]), target = words_of(corpus.test.target[i]);
      std::set<int> aligned;
      for (const auto& [from, to] : corpus.test.gold[i].alignment) {
        CHECK((from >= 0 && from < static_cast<int>(source.size())));
        CHECK((to >= 0 && to < static_cast<int>(target.size())));
        aligned.insert(to);
      }
      CHECK(aligned.size() == target.size());
    }
  }
}

TEST_CASE("copy, reverse and sort do what they say, with their alignment") {
  for (const std::string name : {"copy", "reverse", "sort"}) {
    const Corpus corpus = generate(config_of(name));
    for (size_t i = 0; i < corpus.train.source.size(); ++i) {
      const std::vector<int> source = numbers_of(corpus.train.source[i]), target = numbers_of(corpus.train.target[i]);
      CHECK((source.size() >= 3 && source.size() <= 12));
      std::vector<int> expected = source;
      if (name == "reverse") std::reverse(expected.begin(), expected.end());
      if (name == "sort") std::sort(expected.begin(), expected.end());
      CHECK(target == expected);
      for (const int number : source) CHECK((number >= 1 && number <= 20));
      CHECK(corpus.train.gold[i].alignment.size() == source.size());
      for (const auto& [from, to] : corpus.train.gold[i].alignment)
        CHECK(source.at(static_cast<size_t>(from)) == target.at(static_cast<size_t>(to)));
    }
  }
}

TEST_CASE("The seed decides, and 0 is a seed like any other") {
  for (const Generator& generator : generators()) {
    INFO(generator.name);
    spec::DataConfig config = config_of(std::string(generator.name));
    const Corpus first = generate(config), again = generate(config);
    CHECK(first.train.source == again.train.source);
    CHECK(first.test.target == again.test.target);
    config.seed = 0;
    const Corpus zero = generate(config);
    CHECK(zero.train.source != first.train.source);
    CHECK(generate(config).train.source == zero.train.source);
  }
}

TEST_CASE("More training pairs change nothing of the held-out ones") {
  for (const Generator& generator : generators()) {
    INFO(generator.name);
    spec::DataConfig config = config_of(std::string(generator.name));
    const Corpus few = generate(config);
    config.train_pairs = 2000;
    const Corpus many = generate(config);
    CHECK(many.test.source == few.test.source);
    CHECK(many.valid.source == few.valid.source);
    CHECK(std::equal(few.train.source.begin(), few.train.source.end(), many.train.source.begin()));
  }
}

TEST_CASE("Every generator is found by its name alone") {
  for (const Generator& generator : generators()) CHECK(&find_generator(generator.name) == &generator);
}

TEST_CASE("More sentences than there are is refused") {
  spec::DataConfig config = config_of("copy");
  config.symbols = 2;
  config.max_length = 5;
  // 8 + 16 + 32 sequences
  CHECK(mentions(error_message([&] { generate(config); }), "940", "copy", "56", "symbols"));
  config.train_pairs = 20, config.valid_pairs = 4, config.test_pairs = 4;
  CHECK(generate(config).train.source.size() == 20);
  config.generator = "sort";
  // Sorted sequences of two symbols: 4 + 5 + 6.
  CHECK(mentions(error_message([&] { generate(config); }), "28", "sort", "15"));
  config = config_of("pronouns");
  config.train_pairs = 900'000'000;
  CHECK(mentions(error_message([&] { generate(config); }), "pronouns", "train_pairs"));
}

TEST_CASE("Settings that make no sense are refused by key") {
  const auto refusal = [](auto change) {
    spec::DataConfig config = config_of("reverse");
    change(config);
    return error_message([&] { generate(config); });
  };
  CHECK(mentions(refusal([](auto& c) { c.generator = "revers"; }), "data.generator", "reverse", "pronouns", "revers"));
  CHECK(mentions(refusal([](auto& c) { c.symbols = 0; }), "data.symbols", "0"));
  CHECK(mentions(refusal([](auto& c) { c.min_length = 0; }), "data.min_length"));
  CHECK(mentions(refusal([](auto& c) { c.max_length = 2; }), "data.max_length", "3"));
  for (const Generator& generator : generators()) {
    INFO(generator.name);
    const auto name = [&](auto& c) { c.generator = generator.name; };
    CHECK(mentions(refusal([&](auto& c) { name(c), c.train_pairs = -1; }), "data.train_pairs", "-1"));
    CHECK(mentions(refusal([&](auto& c) { name(c), c.valid_pairs = -2; }), "data.valid_pairs", "-2"));
    CHECK(mentions(refusal([&](auto& c) { name(c), c.test_pairs = -3; }), "data.test_pairs", "-3"));
  }
}

}  // namespace attnlab::data
