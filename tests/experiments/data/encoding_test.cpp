#include "experiments/data/encoding.h"

#include <string>

#include "tests/support/catch.h"

namespace attnlab::data {
namespace {

/// Code points of the basic plane, as UTF-16 or UTF-32 has them.
std::string wide(std::u16string_view text, size_t width, bool little_endian) {
  std::string bytes;
  for (const char16_t c : text) {
    std::string unit(width, '\0');
    unit[little_endian ? 0 : width - 1] = static_cast<char>(c & 0xFF);
    unit[little_endian ? 1 : width - 2] = static_cast<char>(c >> 8);
    bytes += unit;
  }
  return bytes;
}

}  // namespace

TEST_CASE("UTF-16 and UTF-32 are known with and without a byte order mark, whatever the script") {
  for (const std::u16string text :
       {u"a dog\nStraße\n", u"x", u"on\r\n\r\ntwo", u"улица слишком\nширокая\n", u"漢字\n仮名\n"}) {
    for (const std::u16string& marked : {text, u"\uFEFF" + text}) {
      CHECK(wide_encoding(wide(marked, 2, true)) == "UTF-16LE");
      CHECK(wide_encoding(wide(marked, 2, false)) == "UTF-16BE");
      CHECK(wide_encoding(wide(marked, 4, true)) == "UTF-32LE");
      CHECK(wide_encoding(wide(marked, 4, false)) == "UTF-32BE");
    }
  }
}

TEST_CASE("UTF-8 is not taken for another encoding, not even with NUL in it") {
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {""sv, "a dog\n"sv, "\uFEFFa dog\n"sv, "\xFF"sv, "Straße 漢字\n"sv, "a\0bc\n\0\nd\n"sv, "abc\0\nd\n"sv,
        "one\ntwo\0\nthree\n"sv, "a long line with one \0 in it"sv})
    CHECK(wide_encoding(text).empty());
}

}  // namespace attnlab::data
