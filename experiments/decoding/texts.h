#pragma once
/// What the hypotheses of a sentence read as.

#include <string>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::decoding {

/// A hypothesis and its text.
struct Reading {
  std::string text;
  Hypothesis hypothesis;
};

/// The text of each hypothesis, in the same order.
std::vector<Reading> texts(const tokenizer::Tokenizer& target, const std::vector<Hypothesis>& hypotheses);

/// The same for a list that is sorted, best first: different pieces can spell one text, and of those that read the same
/// only the first stays.
std::vector<Reading> distinct_texts(const tokenizer::Tokenizer& target, const std::vector<Hypothesis>& hypotheses);

}  // namespace attnlab::decoding
