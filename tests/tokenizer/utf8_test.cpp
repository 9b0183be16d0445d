#include "tokenizer/utf8.h"

#include "tests/support/catch.h"

using attnlab::tokenizer::first_invalid_utf8;
using attnlab::tokenizer::with_invalid_utf8_replaced;

namespace {

constexpr size_t kNone = std::string_view::npos;

}  // namespace

TEST_CASE("Valid UTF-8 passes, at the edges of every length") {
  for (const std::string_view text : {"", "a", "\x7F", "\u0080", "\u07FF", "\u0800", "\uD7FF", "\uE000", "\uFFFF",
                                      "\U00010000", "\U0010FFFF", "Straße 漢字 😀"}) {
    CHECK(first_invalid_utf8(text) == kNone);
    CHECK(with_invalid_utf8_replaced(text) == text);
  }
  CHECK(first_invalid_utf8(std::string_view("a\0b", 3)) == kNone);
}

TEST_CASE("Broken UTF-8 is found at its first byte") {
  CHECK(first_invalid_utf8("ab\xE2\x80") == 2);        // cut off
  CHECK(first_invalid_utf8("\xFF") == 0);              // never a byte of UTF-8
  CHECK(first_invalid_utf8("x\xC0\xAF") == 1);         // overlong "/"
  CHECK(first_invalid_utf8("\xED\xA0\x80") == 0);      // lone surrogate
  CHECK(first_invalid_utf8("\xF4\x90\x80\x80") == 0);  // above U+10FFFF
  CHECK(first_invalid_utf8("\x80") == 0);              // continuation without a lead
  CHECK(first_invalid_utf8("\xE0\x80\x80") == 0);      // overlong
  CHECK(first_invalid_utf8("\xF0\x8F\xBF\xBF") == 0);  // overlong
}

// The example of the Unicode standard, chapter 3.9, table 3-8 ff.: one U+FFFD for each maximal subpart.
TEST_CASE("Each maximal subpart becomes one U+FFFD") {
  CHECK(with_invalid_utf8_replaced("a\xF1\x80\x80\xE1\x80\xC2"
                                   "b\x80"
                                   "c\x80\xBF"
                                   "d") ==
        "a\uFFFD\uFFFD\uFFFD"
        "b\uFFFD"
        "c\uFFFD\uFFFD"
        "d");
  CHECK(with_invalid_utf8_replaced("\xE2\x80 x\xFF") == "\uFFFD x\uFFFD");
  CHECK(with_invalid_utf8_replaced("Stra\xDF"
                                   "e") ==
        "Stra\uFFFD"
        "e");  // Latin-1
}
