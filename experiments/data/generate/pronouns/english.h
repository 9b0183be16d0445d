#pragma once
/// A plan in English.

#include "experiments/data/generate/pronouns/plan.h"
#include "experiments/data/generate/pronouns/words.h"

namespace attnlab::data::pronouns {

/// "the animal didn't cross the street because it was too tired"
Words in_english(const Plan& plan);

}  // namespace attnlab::data::pronouns
