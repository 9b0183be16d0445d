#include "sacrebleu/unicode.h"

#include "sacrebleu/python_format.h"
#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

TEST_CASE("Python's 29 whitespace characters", "[sacrebleu]") {
  int spaces = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    append_utf8(text, c);
    if (is_space(c) != (space_length(text, 0) == text.size())) FAIL("disagreement on a code point");
    spaces += is_space(c) ? 1 : 0;
  }
  CHECK(spaces == 29);
  CHECK_FALSE(is_space(0x200B));
  CHECK_FALSE(is_space(0xFEFF));
}

TEST_CASE("split, strip, squeeze", "[sacrebleu]") {
  CHECK(squeeze("\u3000 a\u00a0b\x1f c\u2028") == "a b c");
  CHECK(rstrip(" a\u2003\r\n") == " a");
  CHECK(strip("\u0085 a \x1c") == "a");
  CHECK(rstrip("\u3000").empty());
  CHECK(rstrip("a\u200b") == "a\u200b");
}

TEST_CASE("Lower case with its special cases", "[sacrebleu]") {
  CHECK(lower("ABC xyz") == "abc xyz");
  CHECK(lower("ÄÖÜ ẞ") == "äöü ß");
  CHECK(lower("İ") == "i\u0307");
  CHECK(lower("ΟΔΟΣ ΣΑΣ") == "οδος σας");
}

TEST_CASE("UTF-8 is checked strictly", "[sacrebleu]") {
  CHECK(invalid_utf8("aé€𝄞") == std::string_view::npos);
  CHECK(invalid_utf8("a\xc0\x80") == 1);
  CHECK(invalid_utf8("\xed\xa0\x80") == 0);
  CHECK(invalid_utf8("\xf4\x90\x80\x80") == 0);
  CHECK(invalid_utf8("ab\xe2\x82") == 2);
  expect_error([] { require_utf8("a\xff", "line 7"); }, ErrorKind::unicode,
               "line 7 is not valid UTF-8: byte 0xff at position 1");
}

TEST_CASE("Numbers as Python prints them", "[sacrebleu]") {
  CHECK(fixed(2.675, 2) == "2.67");
  CHECK(fixed(0.5, 0) == "0");
  CHECK(repr(45.0) == "45.0");
  CHECK(repr(0.1 + 0.2) == "0.30000000000000004");
  CHECK(repr(1e-5) == "1e-05");
  CHECK(repr(1e16) == "1e+16");
  CHECK(repr(123456789012345680.0) == "1.2345678901234568e+17");
  CHECK(json_number(0.0 / 0.0) == "NaN");
}

TEST_CASE("JSON strings", "[sacrebleu]") {
  CHECK(json_string("a\"\\\n\x01é", JsonText::utf8) == "\"a\\\"\\\\\\n\\u0001é\"");
  CHECK(json_string("hü𝄞\x7f", JsonText::escaped) == "\"h\\u00fc\\ud834\\udd1e\\u007f\"");
}

}  // namespace
}  // namespace sacrebleu
