#include "experiments/data/unpacker.h"

#include "tests/experiments/data/gzip.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::data {
namespace {

using test::gzip;
using tests::error_message;
using tests::mentions;

/// What comes out of bytes that come in parts of `size`.
std::string unpacked(const std::string& bytes, size_t size) {
  Unpacker unpacker("file.gz", "data.train");
  std::string text;
  for (size_t first = 0; first < bytes.size(); first += size) unpacker.add(bytes.substr(first, size), text);
  unpacker.finish(text);
  return text;
}

TEST_CASE("Text comes out whole, however its bytes come in") {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * i) + "\n";
  const std::string two_members = gzip(text) + gzip("end\n");
  for (const size_t size : {size_t{1}, size_t{2}, size_t{1000}, two_members.size()})
    CHECK(unpacked(two_members, size) == text + "end\n");
  for (const std::string& plain : {std::string(), std::string("a"), std::string("\x1F"), text})
    CHECK(unpacked(plain, 7) == plain);
  CHECK(unpacked(gzip(""), 1).empty());
}

TEST_CASE("A damaged or cut-off archive is refused by its name") {
  const std::string packed = gzip("one\ntwo\n");
  for (const std::string& bad : {packed.substr(0, packed.size() - 1), packed.substr(0, 2), packed + "more"})
    CHECK(mentions(error_message([&] { unpacked(bad, 5); }), "data.train", "'file.gz'", "damaged or cut-off"));
}

}  // namespace
}  // namespace attnlab::data
