#include "sacrebleu/tokenizers/rewrite.h"

#include <array>

namespace sacrebleu {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_stop(char c) {
  return c == '.' || c == ',';
}

constexpr auto kPunctuation = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view(" !\"#$%&()*+/:;<=>?@[\\]^_`{|}~")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

/// One pass of a rule over pairs of neighbours: whenever `matches(a, b)` holds, both are consumed and written with
/// spaces according to the pattern: 'a', 'b' stand for the characters.
template <class Matches>
void rewrite_pairs(const std::string& text, std::string& out, std::string_view pattern, Matches matches) {
  out.clear();
  out.reserve(text.size() * 2);
  std::size_t at = 0;
  while (at < text.size()) {
    const bool match = at + 1 < text.size() && matches(text[at], text[at + 1]);
    if (!match) {
      out.push_back(text[at++]);
      continue;
    }
    for (const char c : pattern) out.push_back(c == 'a' ? text[at] : c == 'b' ? text[at + 1] : ' ');
    at += 2;
  }
}

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t found = text.find(from);
  if (found == std::string::npos) return;
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  for (; found != std::string::npos; found = text.find(from, at)) {
    out.append(text, at, found - at).append(to);
    at = found + from.size();
  }
  text = out.append(text, at);
}

void unescape_entities(std::string& text) {
  if (text.find('&') == std::string::npos) return;
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

void space_punctuation(const std::string& text, std::string& out) {
  out.clear();
  out.reserve(text.size() * 2);
  for (const char c : text) {
    if (kPunctuation[static_cast<unsigned char>(c)]) {
      out.push_back(' ');
      out.push_back(c);
      out.push_back(' ');
    } else {
      out.push_back(c);
    }
  }
}

void space_stop_after_nondigit(const std::string& text, std::string& out) {
  rewrite_pairs(text, out, "a b ", [](char a, char b) { return is_stop(b) && !is_digit(a); });
}

void space_stop_before_nondigit(const std::string& text, std::string& out) {
  rewrite_pairs(text, out, " a b", [](char a, char b) { return is_stop(a) && !is_digit(b); });
}

void space_dash_after_digit(const std::string& text, std::string& out) {
  rewrite_pairs(text, out, "a b ", [](char a, char b) { return b == '-' && is_digit(a); });
}

void split_western(std::string& text) {
  thread_local std::string other;
  space_punctuation(text, other);
  space_stop_after_nondigit(other, text);
  space_stop_before_nondigit(text, other);
  space_dash_after_digit(other, text);
}

}  // namespace sacrebleu
