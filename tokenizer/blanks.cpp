#include "tokenizer/blanks.h"

#include <algorithm>
#include <cstddef>

namespace attnlab::tokenizer {
namespace {

constexpr std::string_view kAsciiBlanks = " \t\n\v\f\r";
constexpr std::string_view kBlankSign = "\u2581";

/// The size of the blank that `text` begins with, or 0.
size_t leading_blank(std::string_view text) {
  if (kAsciiBlanks.find(text.front()) != std::string_view::npos) return 1;
  return text.starts_with(kBlankSign) ? kBlankSign.size() : 0;
}

}  // namespace

std::string with_plain_blanks(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  bool after_blank = false;
  while (!text.empty()) {
    const size_t blank = leading_blank(text);
    if (blank == 0) {
      if (after_blank && !plain.empty()) plain += ' ';
      plain += text.front();
    }
    after_blank = blank > 0;
    text.remove_prefix(std::max<size_t>(blank, 1));
  }
  return plain;
}

std::string as_one_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace attnlab::tokenizer
