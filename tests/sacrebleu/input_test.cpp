#include "sacrebleu/command/input.h"

#include <sstream>

#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace sacrebleu {
namespace {

using Lines = std::vector<std::string>;

Lines from_text(const std::string& text, LineEnds ends, const std::string& encoding = "utf-8") {
  std::istringstream stream(text);
  return read_lines(stream, "standard input", encoding, ends);
}

TEST_CASE("Line ends of files and of the standard input", "[sacrebleu]") {
  CHECK(from_text("a\r\nb\rc\nd", LineEnds::universal) == Lines{"a", "b", "c", "d"});
  CHECK(from_text("a\r\nb\rc\n", LineEnds::newline) == Lines{"a\r", "b\rc"});
  CHECK(from_text("a\u2028b\x0b\u0085", LineEnds::universal).size() == 1);
  CHECK(from_text("", LineEnds::universal).empty());
  CHECK(from_text("\n\n", LineEnds::newline) == Lines{"", ""});
}

TEST_CASE("Undecodable bytes are named by file and line", "[sacrebleu]") {
  expect_error([] { from_text("a\nb\xff\n", LineEnds::newline); }, ErrorKind::unicode,
               "standard input, line 2: byte 0xff at position 3 is not UTF-8");
  expect_error([] { from_text("a\nb\xff", LineEnds::newline, "ascii"); }, ErrorKind::unicode, "line 2");
  expect_error([] { from_text("a", LineEnds::newline, "klingon"); }, ErrorKind::value, "unknown encoding: klingon");
}

TEST_CASE("Other encodings", "[sacrebleu]") {
  CHECK(from_text("\xe4\n", LineEnds::newline, "latin-1") == Lines{"ä"});
  CHECK(from_text(std::string("\xff\xfe"
                              "a\0\n\0",
                              6),
                  LineEnds::newline, "utf-16") == Lines{"a"});
}

TEST_CASE("Files that cannot be read", "[sacrebleu]") {
  expect_error([] { read_lines("/nonexistent/file", "utf-8"); }, ErrorKind::file, "cannot open '/nonexistent/file'");
  expect_error([] { read_lines("/", "utf-8"); }, ErrorKind::file, "is a folder");
  const attnlab::tests::TemporaryFolder folder;
  for (const char* content : {"plain", "\x1f\x8b\x08"}) {
    const std::string path = folder.write("not.gz", content).string();
    expect_error([&] { read_lines(path, "utf-8"); }, ErrorKind::file, "no complete gzip file");
  }
}

}  // namespace
}  // namespace sacrebleu
