#include "sacrebleu/command/line_reader.h"

#include <sstream>
#include <vector>

#include <zlib.h>

#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace sacrebleu {
namespace {

using Lines = std::vector<std::string>;

Lines all(LineReader& reader) {
  Lines lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

Lines from_stream(std::streambuf& bytes, LineEnds ends, const std::string& encoding = "utf-8") {
  std::istream stream(&bytes);
  LineReader reader(stream, "standard input", encoding, ends);
  return all(reader);
}

TEST_CASE("A line may be longer than what is read at a time", "[sacrebleu]") {
  const std::string first(700'000, 'x'), second = "\u00e4" + std::string(300'000, 'y');
  std::stringbuf bytes(first + "\r\n" + second + "\r\n\r\nz");
  CHECK(from_stream(bytes, LineEnds::universal) == Lines{first, second, "", "z"});
}

TEST_CASE("An end of two characters may be cut between them", "[sacrebleu]") {
  // Pieces of 2^18 bytes: the \r is the last of the first one.
  const std::string line((std::size_t{1} << 18U) - 1, 'x');
  for (const std::string rest : {"\r\nb\n", "\rb\n", "\nb"}) {
    std::stringbuf bytes(line + rest);
    CHECK(from_stream(bytes, LineEnds::universal) == Lines{line, "b"});
  }
  std::stringbuf bytes(line + '\r');
  CHECK(from_stream(bytes, LineEnds::universal) == Lines{line});
}

TEST_CASE("A character may be cut between two pieces, but not by the end of the text", "[sacrebleu]") {
  const std::string before((std::size_t{1} << 18U) - 1, 'x');
  std::stringbuf whole(before + "\u00e4\n"), cut(before + "\xc3");
  CHECK(from_stream(whole, LineEnds::newline) == Lines{before + "\u00e4"});
  expect_error([&] { from_stream(cut, LineEnds::newline); }, ErrorKind::unicode, "byte 0xc3 at position 262143");
}

TEST_CASE("A byte order mark is removed for utf-8-sig alone, and counts no positions", "[sacrebleu]") {
  const std::string text =
      "\xEF\xBB\xBF"
      "a\nb\xff\n";
  std::stringbuf marked(text), kept(text);
  expect_error([&] { from_stream(marked, LineEnds::newline, "utf-8-sig"); }, ErrorKind::unicode,
               "line 2: byte 0xff at position 3");
  expect_error([&] { from_stream(kept, LineEnds::newline); }, ErrorKind::unicode, "line 2: byte 0xff at position 6");
  std::stringbuf small("a");
  CHECK(from_stream(small, LineEnds::newline, "utf-8-sig") == Lines{"a"});
}

TEST_CASE("Positions and line numbers count from the start of the text", "[sacrebleu]") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "line\r\n";
  std::stringbuf bytes(text + "b\xff");
  expect_error([&] { from_stream(bytes, LineEnds::universal); }, ErrorKind::unicode,
               "line 100001: byte 0xff at position 600001 is not UTF-8");
}

TEST_CASE("A peeked line remains the next one", "[sacrebleu]") {
  std::istringstream stream("a\nb");
  LineReader reader(stream, "standard input", "utf-8", LineEnds::universal);
  std::string_view line;
  CHECK((reader.peek(line) && line == "a"));
  CHECK((reader.peek(line) && line == "a"));
  CHECK(all(reader) == Lines{"a", "b"});
  CHECK_FALSE(reader.peek(line));
}

TEST_CASE("A gzip file that breaks off is named before a bad byte in it", "[sacrebleu]") {
  const attnlab::tests::TemporaryFolder folder;
  const std::string path = (folder / "text.gz").string();
  std::string text = "a\nb\xff\n";
  std::uint32_t random = 1;
  for (int i = 0; i < 1'000'000; ++i)
    text += static_cast<char>('0' + ((random = random * 1664525 + 1013904223) >> 24) % 64);
  const gzFile file = gzopen(path.c_str(), "wb");
  REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
  gzclose(file);
  const auto read = [&path] {
    LineReader reader(path, "utf-8");
    all(reader);
  };
  expect_error(read, ErrorKind::unicode, "line 2: byte 0xff at position 3");
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 20);
  expect_error(read, ErrorKind::file, "no complete gzip file");
}

}  // namespace
}  // namespace sacrebleu
