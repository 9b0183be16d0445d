#pragma once
/// English to German, made from a grammar: "it" must become er, sie, es (or ihn) by the gender of the noun that it
/// refers to, which the adjective or the verb after it tells. "The animal didn't cross the street because it was too
/// tired / too wide." Other nouns stand about in relative clauses; German puts its verb last there.
///
/// Of the test sentences a fifth have more optional parts than any training or validation sentence. A word is what
/// blanks separate, with the comma or full stop after it.

#include "experiments/data/generate/registry.h"

namespace attnlab::data {

Sentence draw_pronouns(const spec::DataConfig& config, SplitName split, Random& random);

/// A lower bound of the number of different sentences.
double count_pronouns(const spec::DataConfig& config);

/// The two sentences "The animal didn't cross the street because it was too tired." and "... too wide." They are always
/// the first two of the test set.
std::vector<Sentence> famous_pronouns();

}  // namespace attnlab::data
