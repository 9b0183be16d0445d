#include "experiments/data/generate/pronouns/german.h"

#include <array>

namespace attnlab::data::pronouns {
namespace {

/// Rows: nominative, accusative, dative; columns: masculine, feminine, neuter.
using Forms = std::array<std::array<std::string_view, 3>, 3>;

constexpr Forms kDefinite = {{{"der", "die", "das"}, {"den", "die", "das"}, {"dem", "der", "dem"}}};
constexpr Forms kIndefinite = {{{"ein", "eine", "ein"}, {"einen", "eine", "ein"}, {"einem", "einer", "einem"}}};
constexpr Forms kWeakEndings = {{{"e", "e", "e"}, {"en", "e", "e"}, {"en", "en", "en"}}};
constexpr Forms kMixedEndings = {{{"er", "e", "es"}, {"en", "e", "es"}, {"en", "en", "en"}}};
constexpr Forms kPronouns = {{{"er", "sie", "es"}, {"ihn", "sie", "es"}, {"ihm", "ihr", "ihm"}}};

std::string_view look_up(const Forms& forms, Gender gender, Case grammatical_case) {
  return forms[static_cast<size_t>(grammatical_case)][static_cast<size_t>(gender)];
}

/// A comma belongs to the word before it; two that meet are one.
void add_comma(Words& words) {
  if (!words.back().text.ends_with(',')) words.back().text += ',';
}

Words simple_noun(const SimpleNoun& noun, Case grammatical_case) {
  const Gender gender = noun.noun->gender;
  Words words;
  append(words, german_article(noun.article, gender, grammatical_case), noun.link);
  if (noun.attribute)
    append(words, std::string(noun.attribute->german).append(german_ending(noun.article, gender, grammatical_case)),
           noun.link + 1);
  append(words, german_noun(*noun.noun, grammatical_case), noun.link + 2);
  return words;
}

/// "in den Koffer", "im Stall". A noun with a relative clause keeps its article whole: it points at the clause.
Words prepositional(const Preposition& preposition, int link, const NounPhrase& phrase) {
  Words words;
  append(words, preposition.german, link);
  append(words, simple_noun(phrase.head, preposition.german_case));
  if (phrase.relative || words[0].text != "in") return words;
  const std::string& article = words[1].text;
  if (article != "dem" && article != "das") return words;
  words[0] = {article == "dem" ? "im" : "ins", {link, phrase.head.link}};
  words.erase(words.begin() + 1);
  return words;
}

/// ", den die Frau sah": with the comma before it, on the last of `words`; the one after it is the caller's.
void append_relative_clause(Words& words, const Relative& relative, Gender head) {
  add_comma(words);
  const Case grammatical_case = relative.perception ? Case::accusative : Case::nominative;
  append(words, look_up(kDefinite, head, grammatical_case), relative.link);
  if (relative.perception) {
    append(words, simple_noun(relative.other, Case::nominative));
    append(words, relative.perception->german, relative.link + 1);
  } else if (relative.posture) {
    append(words, prepositional(*relative.location, relative.link + 2, {relative.other, {}}));
    append(words, relative.posture->german, relative.link + 1);
  } else {
    append(words, simple_noun(relative.other, Case::accusative));
    append(words, relative.chase->german, relative.link + 1);
    append(words, "hatte", relative.link + 2);
  }
}

Words subject(const NounPhrase& phrase) {
  Words words = simple_noun(phrase.head, Case::nominative);
  if (phrase.relative) {
    append_relative_clause(words, *phrase.relative, phrase.head.noun->gender);
    add_comma(words);
  }
  return words;
}

Words adverb(const Plan& plan) {
  Words words;
  append(words, plan.adverb->german, 0);
  for (size_t i = 0; i < words.size(); ++i) words[i].links = {plan.adverb_link + plan.adverb->german_links[i] - '0'};
  return words;
}

/// The finite verb is the second element: after the subject, or between a fronted adverb and the subject.
Words front_and_verb(const Plan& plan) {
  Words finite;
  if (plan.modal == Modal::can)
    append(finite, "konnte", plan.modal_link);
  else
    append(finite, plan.frame->german_past, plan.verb_link);
  Words words;
  if (plan.adverb_place == AdverbPlace::front) {
    append(words, adverb(plan));
    append(words, finite);
    append(words, subject(plan.subject));
  } else {
    append(words, subject(plan.subject));
    append(words, finite);
  }
  return words;
}

void append_reason_clause(Words& words, const Plan& plan) {
  const Reason& reason = plan.reason;
  const Gender gender = noun_of(plan, reason.antecedent).noun->gender;
  add_comma(words);
  append(words, reason.conjunction->german, reason.link);
  if (reason.deed) {
    append(words, simple_noun(reason.human, Case::nominative));
    append(words, german_pronoun(gender, Case::accusative), reason.link + 1);
    append(words, reason.deed->german, reason.link + 4);
    append(words, "hatte", reason.link + 2);
    return;
  }
  append(words, german_pronoun(gender, Case::nominative), reason.link + 1);
  append(words, reason.degree->german, reason.link + 3);
  append(words, reason.predicates[0]->german, reason.link + 4);
  if (reason.predicates.size() > 1) {
    append(words, "und", reason.link + 5);
    append(words, reason.predicates[1]->german, reason.link + 6);
  }
  append(words, "war", reason.link + 2);
}

}  // namespace

std::string_view german_article(Article article, Gender gender, Case grammatical_case) {
  return look_up(article == Article::definite ? kDefinite : kIndefinite, gender, grammatical_case);
}

std::string_view german_ending(Article article, Gender gender, Case grammatical_case) {
  return look_up(article == Article::definite ? kWeakEndings : kMixedEndings, gender, grammatical_case);
}

std::string_view german_pronoun(Gender gender, Case grammatical_case) {
  return look_up(kPronouns, gender, grammatical_case);
}

std::string_view german_noun(const Noun& noun, Case grammatical_case) {
  return grammatical_case == Case::nominative || noun.oblique.empty() ? noun.german : noun.oblique;
}

Words in_german(const Plan& plan) {
  Words words = front_and_verb(plan);
  if (plan.object) append(words, simple_noun(plan.object->head, Case::accusative));
  if (plan.adverb_place == AdverbPlace::end) append(words, adverb(plan));
  if (plan.polarity == Polarity::negative) append(words, "nicht", plan.negation_link);
  if (plan.place) append(words, prepositional(*plan.frame->preposition, plan.preposition_link, *plan.place));
  if (plan.modal == Modal::can) append(words, plan.frame->german_infinitive, plan.verb_link);
  // The relative clause of the last noun follows the verb and "nicht" ("überquerte die Straße nicht, die die Frau
  // sah").
  const NounPhrase& last = plan.place ? *plan.place : *plan.object;
  if (last.relative) append_relative_clause(words, *last.relative, last.head.noun->gender);
  append_reason_clause(words, plan);
  return words;
}

}  // namespace attnlab::data::pronouns
