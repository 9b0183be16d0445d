#include "tokenizer/reserved.h"

#include "tests/support/catch.h"

namespace {

std::vector<std::string> notes_on_reserved(const std::vector<std::string>& lines) {
  attnlab::tokenizer::ReservedCounter counter;
  for (const std::string& line : lines) counter.add(line);
  return counter.notes();
}

}  // namespace

TEST_CASE("Lines with a character that SentencePiece keeps for itself are counted, and the first is numbered") {
  CHECK(notes_on_reserved({}).empty());
  CHECK(notes_on_reserved({"a b", "\u2580\u2582"}).empty());
  const auto notes = notes_on_reserved({"a", "b \u2585", "\u2581x", "\u2585\u2585"});
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].starts_with("U+2581 in 1 line, line 3 is the first: "));
  CHECK(notes[1].starts_with("U+2585 in 2 lines, line 2 is the first: "));
}
