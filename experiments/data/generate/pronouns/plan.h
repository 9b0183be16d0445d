#pragma once
/// What one sentence of the `pronouns` corpus says, before any language: english.h and german.h put it into words.
///
/// Every element has a `link`: a number that the words which express it carry in both languages. Words with a common
/// link are translations of each other; so the gold alignment needs no search.

#include <optional>
#include <vector>

#include "experiments/data/generate/pronouns/lexicon.h"
#include "experiments/data/random.h"

namespace attnlab::data::pronouns {

enum class Article { definite, indefinite };

/// "the old dog"
struct SimpleNoun {
  const Noun* noun = nullptr;
  Article article = Article::definite;
  const Adjective* attribute = nullptr;  ///< or none
  int link = 0;                          ///< of the article; + 1 the adjective, + 2 the noun
};

/// "that the woman saw", "that slept behind the barn", "that had chased the cat": exactly one of the first three is
/// set.
struct Relative {
  const Deed* perception = nullptr;
  const Posture* posture = nullptr;
  const Deed* chase = nullptr;
  const Preposition* location = nullptr;  ///< with `posture`
  SimpleNoun other;                       ///< the woman, the barn, the cat
  int link = 0;                           ///< of the relative pronoun; + 1 the verb, + 2 the preposition or "had"
};

struct NounPhrase {
  SimpleNoun head;
  std::optional<Relative> relative;
};

/// didn't cross; couldn't cross. Without negation: crossed; could cross.
enum class Modal { none, can };

enum class AdverbPlace { none, front, end };

/// A noun of the main clause.
enum class Role { subject, object, place };

/// "because it was too tired" or "because the woman had fed it"
struct Reason {
  const Plain* conjunction = nullptr;
  const Plain* degree = nullptr;
  std::vector<const Adjective*> predicates;  ///< one, or two joined by "and"; none: `deed`
  const Deed* deed = nullptr;
  Role antecedent = Role::subject;  ///< what "it" refers to
  SimpleNoun human;                 ///< who did it
  int link = 0;  ///< conjunction; + 1 it, + 2 was or had, + 3 degree, + 4 adjective or participle, + 5 and, + 6 second
                 ///< adjective
};

struct Plan {
  const Frame* frame = nullptr;
  NounPhrase subject;
  std::optional<NounPhrase> object, place;
  Polarity polarity = Polarity::negative;
  Modal modal = Modal::none;
  const Adverb* adverb = nullptr;
  AdverbPlace adverb_place = AdverbPlace::none;
  Reason reason;
  int verb_link = 0, negation_link = 0, modal_link = 0, preposition_link = 0;
  int adverb_link = 0;  ///< + the digit of the word
};

/// The noun in that role; it must be there.
const SimpleNoun& noun_of(const Plan& plan, Role role);

/// How many optional parts (adverb, attributes, relative clauses, ...) a sentence has.
enum class Length { ordinary, long_one };

/// A random plan. Ordinary ones have at most two optional parts, long ones four or five.
Plan draw_plan(Random& random, Length length);

/// "The animal didn't cross the street because it was too <predicate>." The predicate is one of the lexicon's for
/// animals or ways.
Plan famous_plan(std::string_view predicate);

/// How many plans there are at least (those without any optional part). There are far more with them.
double count_plain_plans();

}  // namespace attnlab::data::pronouns
