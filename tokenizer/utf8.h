#pragma once
/// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.

#include <cstddef>
#include <string>
#include <string_view>

namespace attnlab::tokenizer {

/// The first byte that does not belong to valid UTF-8, or npos.
size_t first_invalid_utf8(std::string_view text);

/// `text` with U+FFFD in place of each broken sequence: the longest prefix of a possible character counts as one, as
/// Unicode (section 3.9, "U+FFFD substitution of maximal subparts") recommends. Valid text comes back unchanged.
std::string with_invalid_utf8_replaced(std::string_view text);

}  // namespace attnlab::tokenizer
