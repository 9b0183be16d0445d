#pragma once
/// Words that remember what they express: the common ground of english.h and german.h.

#include <string>
#include <string_view>
#include <vector>

namespace attnlab::data::pronouns {

/// A word with the links (see plan.h) that it carries. A comma is not a word: it is part of the word before it.
struct Word {
  std::string text;
  std::vector<int> links;
};

using Words = std::vector<Word>;

/// Appends the blank-separated words of a text, all with the same link.
void append(Words& words, std::string_view text, int link);

/// Appends all words of another.
void append(Words& words, const Words& more);

/// The sentence: capital letter first, a full stop last.
std::string as_sentence(const Words& words);

}  // namespace attnlab::data::pronouns
