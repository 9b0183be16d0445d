#include "support/file_pieces.h"

#include <csignal>
#include <vector>

#include <sys/resource.h>

#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab {
namespace {

using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

}  // namespace

TEST_CASE("A file is read piece by piece, the last one short") {
  const TemporaryFolder folder;
  FileReader reader(folder.write("a", "abcdefg"), "the file");
  char buffer[3];
  std::string text;
  std::vector<size_t> sizes;
  while (const size_t size = reader.read(buffer, sizeof buffer)) {
    text.append(buffer, size);
    sizes.push_back(size);
  }
  CHECK(text == "abcdefg");
  CHECK(sizes == std::vector<size_t>{3, 3, 1});
  CHECK(mentions(error_message([&] { FileReader(folder.path() / "none", "the file"); }), "the file", "none"));
}

TEST_CASE("A file appears when it is whole, and not before") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "old");
  {
    FileWriter writer(path);
    writer.write("ab");
    CHECK(read_file(path, "a") == "old");
  }
  CHECK(read_file(path, "a") == "old");
  {
    FileWriter writer(path);
    writer.write("abcd");
    writer.overwrite(1, "XY");
    writer.write("e");
    CHECK(writer.size() == 5);
    writer.commit();
  }
  CHECK(read_file(path, "a") == "aXYde");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  CHECK(mentions(error_message([&] { FileWriter(folder.path() / "no" / "a"); }), "cannot write", "no/a"));
}

TEST_CASE("A file that there is no room for is named, and nothing is left of it") {
  const TemporaryFolder folder;
  rlimit before{}, small{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  small = {1000, before.rlim_max};
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string message = error_message([&] { FileWriter(folder.path() / "a").write(std::string(5000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  CHECK(mentions(message, "cannot write", (folder.path() / "a").string(), "File too large"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace attnlab
