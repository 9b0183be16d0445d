#pragma once
/// From text or ids to the tokens of a Sentence.

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/data/batches.h"
#include "experiments/data/dataset.h"
#include "experiments/inspection/maps.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::inspection {

/// The word that each piece belongs to, counted from 0, where words are what stands between blanks: a piece that begins
/// with U+2581 begins a word unless the word before it is still empty (doubled blanks).
std::vector<int64_t> words_of(const std::vector<std::string>& pieces);

/// A sentence from ids without special ones. Its texts are the given ones.
Sentence make_sentence(int64_t id, const tokenizer::Tokenizer& source_tokenizer,
                       const tokenizer::Tokenizer& target_tokenizer, const tokenizer::Ids& source,
                       const tokenizer::Ids& target, std::string source_text, std::string target_text);

/// The first `count` pairs of a split (all if there are fewer) with their given targets: `pairs` are the encoded ones
/// of `split`.
std::vector<Sentence> given_sentences(const data::Dataset& dataset, const data::Split& split, const data::Pairs& pairs,
                                      int64_t count);

/// The ids of a sentence as training and scoring take them: source + eos, target + eos.
data::EncodedPair encoded(const Sentence& sentence);

}  // namespace attnlab::inspection
