#include "support/mapped_file.h"

#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab {
namespace {

using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

}  // namespace

TEST_CASE("A mapped file shows its bytes, also when another took its name") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "abc");
  const MappedFile file(path, "the file");
  CHECK(file.bytes() == "abc");
  std::filesystem::remove(path);
  folder.write("a", "xyz");
  CHECK(file.bytes() == "abc");
}

TEST_CASE("What cannot be mapped is named") {
  const TemporaryFolder folder;
  CHECK(mentions(error_message([&] { MappedFile(folder.path() / "none", "the file"); }), "the file", "none"));
  CHECK(mentions(error_message([&] { MappedFile(folder.path(), "the file"); }), "the file", "folder"));
  CHECK(mentions(error_message([&] { MappedFile(folder.write("empty", ""), "the file"); }), "the file", "empty"));
}

}  // namespace attnlab
