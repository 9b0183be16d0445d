#include "sacrebleu/unicode.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>

#include "sacrebleu/error.h"

namespace sacrebleu {
namespace {

constexpr bool is_ascii_space(unsigned char c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
}

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool is_ascii(std::string_view text) {
  unsigned char seen = 0;
  for (const char c : text) seen |= static_cast<unsigned char>(c);
  return seen < 0x80;
}

/// Length of the valid sequence at text[at], or 0. Overlong forms, surrogates and values above U+10FFFF are invalid.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : (lead & 0xF0) == 0xE0        ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, at + 1);
  if (lead == 0xE0 && second < 0xA0) return 0;
  if (lead == 0xED && second > 0x9F) return 0;
  if (lead == 0xF0 && second < 0x90) return 0;
  if (lead == 0xF4 && second > 0x8F) return 0;
  return length;
}

/// Unicode 15.0 is what the original's tables know; a later ICU must not change a score.
bool newer_than_original(char32_t c) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] > 15 || (age[0] == 15 && age[1] > 0);
}

Category category_of(char32_t c) {
  if (newer_than_original(c)) return Category::other;
  const auto mask = U_GET_GC_MASK(static_cast<UChar32>(c));
  if (mask & U_GC_P_MASK) return Category::punctuation;
  if (mask & U_GC_N_MASK) return Category::number;
  if (mask & U_GC_S_MASK) return Category::symbol;
  return Category::other;
}

}  // namespace

bool is_space(char32_t c) {
  if (c < 0x80) return is_ascii_space(static_cast<unsigned char>(c));
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

std::size_t space_length(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80) return is_ascii_space(lead) && at < text.size() ? 1 : 0;
  if (lead != 0xC2 && (lead < 0xE1 || lead > 0xE3)) return 0;
  std::size_t end = at;
  if (end + (lead == 0xC2 ? 2 : 3) > text.size()) return 0;
  return is_space(next_code_point(text, end)) ? end - at : 0;
}

std::string_view rstrip(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (byte_at(text, start) & 0xC0) == 0x80 && text.size() - start < 4) --start;
    if (space_length(text, start) != text.size() - start) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  text = rstrip(text);
  while (const std::size_t length = space_length(text, 0)) text.remove_prefix(length);
  return text;
}

void split(std::string_view text, std::vector<std::string_view>& words) {
  std::size_t start = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = space_length(text, at);
    if (length == 0) {
      ++at;
      continue;
    }
    if (at > start) words.push_back(text.substr(start, at - start));
    at += length;
    start = at;
  }
  if (at > start) words.push_back(text.substr(start));
}

std::string squeeze(std::string_view text) {
  std::vector<std::string_view> words;
  split(text, words);
  std::string joined;
  joined.reserve(text.size());
  for (const auto word : words) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

std::string lower(std::string_view text) {
  std::string result;
  if (is_ascii(text)) {
    result.assign(text);
    for (char& c : result) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 'a' - 'A');
    }
    return result;
  }
  icu::StringByteSink<std::string> sink(&result);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink, nullptr,
                            status);
  if (U_FAILURE(status))
    throw Error(ErrorKind::unicode, fmt::format("lower-casing failed in ICU: {}", u_errorName(status)));
  return result;
}

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const unsigned char lead = byte_at(text, at++);
  if (lead < 0x80) return lead;
  const int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  char32_t c = lead & (0x3FU >> more);
  for (int i = 0; i < more && at < text.size(); ++i) c = (c << 6U) | (byte_at(text, at++) & 0x3FU);
  return c;
}

void append_utf8(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6));
    text += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | (c >> 18));
    text += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::size_t invalid_utf8(std::string_view text) {
  if (is_ascii(text)) return std::string_view::npos;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at + sizeof(std::uint64_t) <= text.size() && is_ascii(text.substr(at, sizeof(std::uint64_t))))
      at += sizeof(std::uint64_t);
    if (at == text.size()) break;
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

void require_utf8(std::string_view text, std::string_view what) {
  const std::size_t at = invalid_utf8(text);
  if (at == std::string_view::npos) return;
  throw Error(ErrorKind::unicode,
              fmt::format("{} is not valid UTF-8: byte 0x{:02x} at position {}", what, byte_at(text, at), at));
}

Category category(char32_t c) {
  static const auto ascii = [] {
    std::array<Category, 128> table{};
    for (char32_t i = 0; i < 128; ++i) table[i] = category_of(i);
    return table;
  }();
  return c < 128 ? ascii[c] : category_of(c);
}

std::string unicode_version() {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  return fmt::format("{}.{}", version[0], version[1]);
}

}  // namespace sacrebleu
