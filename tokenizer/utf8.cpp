#include "tokenizer/utf8.h"

#include <cstdint>
#include <cstring>

namespace attnlab::tokenizer {
namespace {

/// A character, or a broken piece of one, at the start of a text.
struct Sequence {
  size_t length;
  bool valid;
};

bool within(unsigned char byte, unsigned char low, unsigned char high) {
  return byte >= low && byte <= high;
}

/// How many bytes follow a lead byte, and between which bounds the first of them lies (table 3-7 of the Unicode
/// standard).
struct Lead {
  size_t following;
  unsigned char low = 0x80, high = 0xBF;
};

Lead classify(unsigned char byte) {
  if (within(byte, 0xC2, 0xDF)) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (within(byte, 0xE1, 0xEF)) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (within(byte, 0xF1, 0xF3)) return {3};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {0};
}

Sequence read_sequence(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {1, true};
  const Lead lead = classify(first);
  if (lead.following == 0) return {1, false};
  for (size_t i = 1; i <= lead.following; ++i) {
    const bool fits = i < text.size() &&
                      within(static_cast<unsigned char>(text[i]), i == 1 ? lead.low : 0x80, i == 1 ? lead.high : 0xBF);
    if (!fits) return {i, false};
  }
  return {lead.following + 1, true};
}

constexpr size_t kAtOnce = sizeof(uint64_t);  // bytes that are looked at together

bool begins_with_ascii(std::string_view text) {
  uint64_t bytes = 0;
  if (text.size() < sizeof bytes) return false;
  std::memcpy(&bytes, text.data(), sizeof bytes);
  return (bytes & 0x8080808080808080) == 0;
}

}  // namespace

size_t first_invalid_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (begins_with_ascii(text.substr(at))) {
      at += kAtOnce;
      continue;
    }
    const Sequence sequence = read_sequence(text.substr(at));
    if (!sequence.valid) return at;
    at += sequence.length;
  }
  return std::string_view::npos;
}

std::string with_invalid_utf8_replaced(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Sequence sequence = read_sequence(text.substr(at));
    result.append(sequence.valid ? text.substr(at, sequence.length) : std::string_view("\xEF\xBF\xBD"));
    at += sequence.length;
  }
  return result;
}

}  // namespace attnlab::tokenizer
