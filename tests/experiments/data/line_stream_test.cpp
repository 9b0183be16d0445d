#include "experiments/data/line_stream.h"

#include "tests/experiments/data/gzip.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::data {
namespace {

using test::gzip;
using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;
using Lines = std::vector<std::string>;

Lines lines_of(const std::filesystem::path& path, BadUtf8 policy = BadUtf8::refuse) {
  LineStream stream(path, "data.train", policy);
  Lines lines;
  std::string line;
  while (stream.next(line)) lines.push_back(line);
  CHECK(stream.count() == lines.size());
  CHECK_FALSE(stream.next(line));
  return lines;
}

/// Some MiB, so that a reader of blocks comes to their ends in all places.
std::string long_text() {
  std::string text = "\uFEFFfirst\n";
  for (int i = 0; text.size() < 3'500'000; ++i) {
    text += std::string(static_cast<size_t>(i * 37 % 211), 'x') + "é\uFEFF" + std::to_string(i);
    text += i % 3 == 0 ? "\r\n" : "\n";
    if (i == 500) text += std::string(2'200'000, 'y') + '\n';
  }
  return text + "last";
}

}  // namespace

TEST_CASE("A stream gives the lines of the whole text, plain and gzip") {
  const TemporaryFolder folder;
  for (const std::string& text : {long_text(), std::string("a\nb"), std::string("\n\n"), std::string("a\r\n")}) {
    const Lines whole = split_lines(text, BadUtf8::refuse, "text");
    CHECK(lines_of(folder.write("plain", text)) == whole);
    const std::string packed = gzip(text), half = text.substr(0, text.size() / 2);
    CHECK(lines_of(folder.write("packed", packed)) == whole);
    CHECK(lines_of(folder.write("members", gzip(half) + gzip(text.substr(half.size())))) == whole);
  }
  CHECK(lines_of(folder.write("nothing", gzip(""))).empty());
}

TEST_CASE("Far into a stream, bad UTF-8 is refused with its line") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "a line of a text\n";
  text += "bad \xFF\n";
  const auto path = folder.write("a", text);
  CHECK(mentions(error_message([&] { lines_of(path); }), "a:100001:", "byte 5", "0xFF"));
  CHECK(lines_of(path, BadUtf8::replace).back() == "bad \uFFFD");
}

TEST_CASE("A gzip file that is cut off, damaged or followed by something else is refused") {
  const TemporaryFolder folder;
  const std::string packed = gzip(long_text());
  std::string flipped = packed;
  flipped[packed.size() - 7] = static_cast<char>(flipped[packed.size() - 7] ^ 0x55);
  for (const std::string& bad :
       {packed.substr(0, packed.size() - 1), packed.substr(0, 1000), packed.substr(0, 5), flipped, packed + "x"}) {
    const auto path = folder.write("bad.gz", bad);
    CHECK(mentions(error_message([&] { lines_of(path); }), "data.train", "bad.gz", "damaged or cut-off gzip"));
  }
}

TEST_CASE("A stream may be left before its end") {
  const TemporaryFolder folder;
  LineStream stream(folder.write("a", long_text()), "data.train", BadUtf8::refuse);
  std::string line;
  CHECK(stream.next(line));
  CHECK(line == "first");
}

}  // namespace attnlab::data
