#include "experiments/data/generate/pronouns/english.h"

namespace attnlab::data::pronouns {
namespace {

std::string_view article(const SimpleNoun& noun) {
  if (noun.article == Article::definite) return "the";
  const std::string_view next = noun.attribute ? noun.attribute->english : noun.noun->english;
  return std::string_view("aeiou").find(next.front()) == std::string_view::npos ? "a" : "an";
}

Words simple_noun(const SimpleNoun& noun) {
  Words words;
  append(words, article(noun), noun.link);
  if (noun.attribute) append(words, noun.attribute->english, noun.link + 1);
  append(words, noun.noun->english, noun.link + 2);
  return words;
}

Words relative_clause(const Relative& relative) {
  Words words;
  append(words, "that", relative.link);
  if (relative.perception) {
    append(words, simple_noun(relative.other));
    append(words, relative.perception->english, relative.link + 1);
  } else if (relative.posture) {
    append(words, relative.posture->english, relative.link + 1);
    append(words, relative.location->english, relative.link + 2);
    append(words, simple_noun(relative.other));
  } else {
    append(words, "had", relative.link + 2);
    append(words, relative.chase->english, relative.link + 1);
    append(words, simple_noun(relative.other));
  }
  return words;
}

Words noun_phrase(const NounPhrase& phrase) {
  Words words = simple_noun(phrase.head);
  if (phrase.relative) append(words, relative_clause(*phrase.relative));
  return words;
}

/// "crossed", "didn't cross", "could cross", "couldn't cross"
Words verb(const Plan& plan) {
  const bool negative = plan.polarity == Polarity::negative;
  Words words;
  if (plan.modal == Modal::can)
    words.push_back(negative ? Word{"couldn't", {plan.modal_link, plan.negation_link}}
                             : Word{"could", {plan.modal_link}});
  else if (negative)
    words.push_back({"didn't", {plan.negation_link}});
  append(words, words.empty() ? plan.frame->english_past : plan.frame->english_base, plan.verb_link);
  return words;
}

Words adverb(const Plan& plan) {
  Words words;
  append(words, plan.adverb->english, 0);
  for (size_t i = 0; i < words.size(); ++i) words[i].links = {plan.adverb_link + plan.adverb->english_links[i] - '0'};
  return words;
}

Words reason_clause(const Reason& reason) {
  Words words;
  append(words, reason.conjunction->english, reason.link);
  if (reason.deed) {
    append(words, simple_noun(reason.human));
    append(words, "had", reason.link + 2);
    append(words, reason.deed->english, reason.link + 4);
    append(words, "it", reason.link + 1);
    return words;
  }
  append(words, "it", reason.link + 1);
  append(words, "was", reason.link + 2);
  append(words, reason.degree->english, reason.link + 3);
  append(words, reason.predicates[0]->english, reason.link + 4);
  if (reason.predicates.size() > 1) {
    append(words, "and", reason.link + 5);
    append(words, reason.predicates[1]->english, reason.link + 6);
  }
  return words;
}

}  // namespace

Words in_english(const Plan& plan) {
  Words words;
  if (plan.adverb_place == AdverbPlace::front) append(words, adverb(plan));
  append(words, noun_phrase(plan.subject));
  append(words, verb(plan));
  if (plan.object) append(words, noun_phrase(*plan.object));
  if (plan.place) {
    append(words, plan.frame->preposition->english, plan.preposition_link);
    append(words, noun_phrase(*plan.place));
  }
  if (plan.adverb_place == AdverbPlace::end) append(words, adverb(plan));
  append(words, reason_clause(plan.reason));
  return words;
}

}  // namespace attnlab::data::pronouns
