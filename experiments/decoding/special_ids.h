#pragma once
/// The pieces that play a part in decoding beside standing for text.

#include "experiments/decoding/hypothesis.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::decoding {

/// By id, in the target's vocabulary. The defaults are those of the tokenizers that attnlab trains.
struct SpecialIds {
  int32_t unk = 1, bos = 2, eos = 3;
  Ids silent{0, 2};  ///< control pieces but eos: pad, bos and what else a given model has. They say nothing
};

SpecialIds special_ids(const tokenizer::Tokenizer& target);

}  // namespace attnlab::decoding
