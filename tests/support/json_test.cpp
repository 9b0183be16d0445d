#include "support/json.h"

#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab {
namespace {

using tests::error_message;
using tests::mentions;

std::string refusal(const std::string& text) {
  return error_message([&] { parse_json(text, "x.json"); });
}

TEST_CASE("JSON keeps the order of keys and the type of numbers") {
  const Json json = parse_json(R"({"b": 1, "a": 2.0, "c": 9007199254740993})", "x.json");
  CHECK(json.dump() == R"({"b":1,"a":2.0,"c":9007199254740993})");
}

TEST_CASE("a byte-order mark is skipped") {
  CHECK(parse_json("\xEF\xBB\xBF{}", "x.json") == Json::object());
}

TEST_CASE("a syntax error names file, line and column") {
  CHECK(mentions(refusal("{\n  \"a\": 1,\n  \"b\": oops\n}"), "x.json:3:8:", "no valid JSON"));
  CHECK(mentions(refusal("{\"a\": 1"), "x.json:1:8:", "unexpected end of input"));
  CHECK(mentions(refusal(""), "x.json:1:1:", "unexpected end of input"));
}

TEST_CASE("a comment is named as one") {
  CHECK(mentions(refusal("{\n// why\n\"a\": 1}"), "x.json:2:1:", "no comments"));
}

TEST_CASE("a key that stands twice in one object is refused, in two objects not") {
  CHECK(mentions(refusal(R"({"a": {"k": 1, "k": 1}})"), "x.json:1:18:", "\"k\" stands twice"));
  CHECK(mentions(refusal("{\n  \"a\": 1,\n  \"a\": 2\n}"), "x.json:3:5:", "\"a\" stands twice"));
  CHECK(refusal(R"({"a": {"k": 1}, "b": [{"k": 1}, {"k": 1}], "k": 1})") == "(no error)");
}

TEST_CASE("numbers beyond a double, NaN and bad UTF-8 are refused") {
  CHECK(mentions(refusal("[1e400]"), "x.json:1:6:", "number overflow", "1e400"));
  CHECK(mentions(refusal("[NaN]"), "x.json:1:2", "no valid JSON"));
  CHECK(mentions(refusal("[\"\xFF\"]"), "x.json:1:3", "no valid JSON"));
}

TEST_CASE("a NUL ends no document: what follows it would be dropped") {
  using namespace std::string_view_literals;
  CHECK(mentions(error_message([] { parse_json("{\"a\": 1}\n\0{\"b\": 2}"sv, "f"); }), "f:2:1", "a NUL byte"));
}

TEST_CASE("runaway nesting is an error, not a crash") {
  CHECK(mentions(refusal(std::string(1'000'000, '[')), "x.json:1:66:", "nested deeper than 64"));
}

TEST_CASE("a brief value is one line, cut between characters") {
  CHECK(brief(Json("a\nb")) == "\"a\\nb\"");
  CHECK(brief(Json("äääää"), 4) == "\"ä...");
  CHECK(brief(Json("\xFF")) == "\"\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace attnlab
