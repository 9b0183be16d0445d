#include "sacrebleu/tokenizers/tercom.h"

#include <algorithm>
#include <array>

#include "sacrebleu/tokenizers/rewrite.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

using Range = std::array<char32_t, 2>;

/// ASIAN_PUNCT and FULL_WIDTH_PUNCT of Tercom.
constexpr Range kAsianPunctuation[] = {{0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0x30FB, 0x30FB},
                                       {0xFF01, 0xFF02}, {0xFF08, 0xFF09}, {0xFF0C, 0xFF0C}, {0xFF0E, 0xFF0E},
                                       {0xFF1A, 0xFF1B}, {0xFF1F, 0xFF1F}, {0xFF61, 0xFF65}};
/// Ideographs, radicals, strokes and compatibility forms.
constexpr Range kIdeographs[] = {{0x2E80, 0x2EFF}, {0x31C0, 0x31EF}, {0x3200, 0x4DBF},
                                 {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}};

template <std::size_t size>
bool in(const Range (&ranges)[size], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](const Range& range) { return c >= range[0] && c <= range[1]; });
}

/// Language-independent and Western part. Kana are never split: the original's patterns for them cannot match a padded
/// line.
void normalize(std::string& text) {
  replace_all(text, "\n-", "");
  std::replace(text.begin(), text.end(), '\n', ' ');
  unescape_entities(text);
  text.insert(text.begin(), ' ');
  text += ' ';
  std::string other;
  space_punctuation(text, other);
  replace_all(other, "'s ", " 's ");
  space_stop_after_nondigit(other, text);
  space_stop_before_nondigit(text, other);
  space_dash_after_digit(other, text);
}

/// Copies text, with every character that `selects` written between the given strings, or left out when they are null.
template <class Selects>
std::string rewrite_characters(std::string_view text, Selects selects, bool keep) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const bool selected = selects(next_code_point(text, at));
    if (selected && !keep) continue;
    if (selected) out += ' ';
    out.append(text, start, at - start);
    if (selected) out += ' ';
  }
  return out;
}

}  // namespace

std::string tercom_tokenize(std::string_view line, const TerOptions& options) {
  line = rstrip(line);
  std::string text = options.case_sensitive ? std::string(line) : lower(line);
  if (line.empty()) return text;
  if (options.normalized) {
    normalize(text);
    if (options.asian_support) {
      text = rewrite_characters(
          text, [](char32_t c) { return in(kIdeographs, c) || in(kAsianPunctuation, c); }, /*keep=*/true);
    }
  }
  if (options.no_punct) {
    std::erase_if(text, [](char c) { return std::string_view(".,?:;!\"()").find(c) != std::string_view::npos; });
    if (options.asian_support) {
      text = rewrite_characters(
          text, [](char32_t c) { return in(kAsianPunctuation, c); }, /*keep=*/false);
    }
  }
  return squeeze(text);
}

}  // namespace sacrebleu
