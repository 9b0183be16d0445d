#include "experiments/data/generate/pronouns.h"

#include <algorithm>

#include "experiments/data/generate/pronouns/english.h"
#include "experiments/data/generate/pronouns/german.h"
#include "experiments/data/generate/pronouns/plan.h"

namespace attnlab::data {
namespace {

using pronouns::Words;

bool share_a_link(const pronouns::Word& a, const pronouns::Word& b) {
  return std::any_of(a.links.begin(), a.links.end(),
                     [&](int link) { return std::find(b.links.begin(), b.links.end(), link) != b.links.end(); });
}

int position_of(const Words& words, int link) {
  const auto has_link = [&](const pronouns::Word& word) { return word.links == std::vector<int>{link}; };
  return static_cast<int>(std::find_if(words.begin(), words.end(), has_link) - words.begin());
}

Sentence realise(const pronouns::Plan& plan) {
  const Words english = in_english(plan), german = in_german(plan);
  Sentence sentence = {as_sentence(english), as_sentence(german), {}};
  for (size_t i = 0; i < english.size(); ++i)
    for (size_t j = 0; j < german.size(); ++j)
      if (share_a_link(english[i], german[j]))
        sentence.gold.alignment.emplace_back(static_cast<int>(i), static_cast<int>(j));
  sentence.gold.pronoun = position_of(english, plan.reason.link + 1);
  sentence.gold.antecedent = position_of(english, noun_of(plan, plan.reason.antecedent).link + 2);
  return sentence;
}

}  // namespace

Sentence draw_pronouns(const spec::DataConfig&, SplitName split, Random& random) {
  const bool long_one = split == SplitName::test && random.percent(20);
  return realise(draw_plan(random, long_one ? pronouns::Length::long_one : pronouns::Length::ordinary));
}

double count_pronouns(const spec::DataConfig&) {
  return pronouns::count_plain_plans();
}

std::vector<Sentence> famous_pronouns() {
  return {realise(pronouns::famous_plan("tired")), realise(pronouns::famous_plan("wide"))};
}

}  // namespace attnlab::data
