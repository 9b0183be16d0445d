#pragma once
/// A plan in German: articles, endings and pronouns by gender and case, the verb second in the main clause and last in
/// the others.

#include <string>

#include "experiments/data/generate/pronouns/plan.h"
#include "experiments/data/generate/pronouns/words.h"

namespace attnlab::data::pronouns {

/// der, die, das, den, dem, der; ein, eine, einen, einem, einer.
std::string_view german_article(Article article, Gender gender, Case grammatical_case);

/// The ending of an adjective between that article and the noun: -e, -en, -er, -es.
std::string_view german_ending(Article article, Gender gender, Case grammatical_case);

/// er, sie, es; ihn, sie, es; ihm, ihr, ihm.
std::string_view german_pronoun(Gender gender, Case grammatical_case);

/// The noun, with the -n of the weak ones outside the nominative: "Löwe", "Löwen".
std::string_view german_noun(const Noun& noun, Case grammatical_case);

/// "das Tier überquerte die Straße nicht, weil es zu müde war"
Words in_german(const Plan& plan);

}  // namespace attnlab::data::pronouns
