#include "experiments/data/generate/pronouns/words.h"

#include <algorithm>

namespace attnlab::data::pronouns {

void append(Words& words, std::string_view text, int link) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    words.push_back({std::string(text.substr(0, end)), {link}});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string as_sentence(const Words& words) {
  std::string text;
  for (const Word& word : words) {
    if (!text.empty()) text += ' ';
    text += word.text;
  }
  // Both languages begin every sentence of this corpus with an ASCII letter.
  if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + '.';
}

}  // namespace attnlab::data::pronouns
