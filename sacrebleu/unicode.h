#pragma once
/// Text as Python sees it, on UTF-8 bytes: the whitespace of str.split(), full lower-casing, general categories.
/// Strings are valid UTF-8 (require_utf8 checks); a character is a code point; nothing is ever normalised.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sacrebleu {

/// Whether c is one of the 29 code points that Python's str.split() and str.strip() take for whitespace: U+0009-000D,
/// U+001C-0020, U+0085, U+00A0, U+1680, U+2000-200A, U+2028, U+2029, U+202F, U+205F, U+3000. ICU has no such set.
bool is_space(char32_t c);

/// Bytes of the whitespace character that starts at text[at], or 0 when there is none.
std::size_t space_length(std::string_view text, std::size_t at);

std::string_view rstrip(std::string_view text);
std::string_view strip(std::string_view text);

/// Appends the whitespace-separated words of text (views into it).
void split(std::string_view text, std::vector<std::string_view>& words);

/// " ".join(text.split())
std::string squeeze(std::string_view text);

/// str.lower(): full mapping with the final-sigma rule, Unicode version of the ICU in use (15.0 with ICU 72).
std::string lower(std::string_view text);

/// Decodes one code point at text[at] and moves `at` behind it; text must be valid there.
char32_t next_code_point(std::string_view text, std::size_t& at);

void append_utf8(std::string& text, char32_t c);

/// Position of the first byte that is not valid UTF-8, or npos.
std::size_t invalid_utf8(std::string_view text);

/// Throws Error (unicode) naming `what` when text is not valid UTF-8.
void require_utf8(std::string_view text, std::string_view what);

/// The classes of a regular expression's \p{P}, \p{N} and \p{S}.
enum class Category : std::uint8_t { other, punctuation, number, symbol };
Category category(char32_t c);

/// The Unicode version of the character tables, e.g. "15.0".
std::string unicode_version();

}  // namespace sacrebleu
