#include "tokenizer/blanks.h"

#include "tests/support/catch.h"

using attnlab::tokenizer::as_one_field;
using attnlab::tokenizer::with_plain_blanks;

TEST_CASE("Runs of blanks become one space, and none is left at the ends") {
  CHECK(with_plain_blanks("too tired. ") == "too tired.");
  CHECK(with_plain_blanks("  a   b ") == "a b");
  CHECK(with_plain_blanks("a\tb \t c\r") == "a b c");
  CHECK(with_plain_blanks("a\vb\fc\nd") == "a b c d");
  CHECK(with_plain_blanks("\u2581a\u2581 \u2581b\u2581") == "a b");
}

TEST_CASE("Text of nothing but blanks is empty") {
  for (const char* text : {"", " ", "   ", " \t\r\v\f\n", "\u2581", " \u2581 "}) CHECK(with_plain_blanks(text).empty());
}

TEST_CASE("Everything else stays as it is, byte for byte") {
  for (const std::string text : {"a b c", "x", "Straße 漢字 😀", "a\u00A0b", "\u3000a\u2028b\u0085",
                                 "\u2580\u2582\u2585", "a \xE2\x96 \xFF b"}) {
    CHECK(with_plain_blanks(text) == text);
  }
  const std::string nul("a\0 b", 4);
  CHECK(with_plain_blanks(nul) == nul);
}

TEST_CASE("A field has no tab and no line end in it, and all else stays") {
  CHECK(as_one_field("a\tb\nc\rd") == "a b c d");
  CHECK(as_one_field("\"a  b\" \vc") == "\"a  b\" \vc");
}
