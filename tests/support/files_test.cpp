#include "support/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab {
namespace {

namespace fs = std::filesystem;
using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

std::string refusal(const fs::path& path) {
  return error_message([&] { read_file(path, "--config"); });
}

TEST_CASE("a file is read byte for byte") {
  const TemporaryFolder folder;
  const std::string content = std::string("a\r\nb\0c\xFF\n", 8) + std::string(200'000, 'x');
  CHECK(read_file(folder.write("file", content), "--config") == content);
}

TEST_CASE("a path that is no readable file is refused with option, path and reason") {
  const TemporaryFolder folder;
  SECTION("missing") {
    CHECK(mentions(refusal(folder.path() / "nothing"), "--config", "nothing", "no such file"));
  }
  SECTION("folder") {
    CHECK(mentions(refusal(folder.path()), "--config", folder.path().string(), "it is a folder"));
  }
  SECTION("empty") {
    CHECK(mentions(refusal(folder.write("empty", "")), "empty'", "it is empty"));
  }
  SECTION("dangling link") {
    fs::create_symlink(folder.path() / "gone", folder.path() / "link");
    CHECK(mentions(refusal(folder.path() / "link"), "link", "a link to a file that does not exist"));
  }
  SECTION("FIFO: refused without waiting for a writer") {
    REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
    CHECK(mentions(refusal(folder.path() / "pipe"), "pipe", "not a regular file"));
  }
  SECTION("device") {
    CHECK(mentions(refusal("/dev/null"), "/dev/null", "not a regular file"));
  }
  SECTION("a file where a folder is expected") {
    const fs::path file = folder.write("file", "x");
    CHECK(mentions(refusal(file / "below"), "below", "Not a directory"));
  }
  SECTION("no permission") {
    if (::geteuid() == 0) {
      WARN("skipped: root may read everything");
      return;
    }
    const fs::path path = folder.write("secret", "x");
    fs::permissions(path, fs::perms::none);
    CHECK(mentions(refusal(path), "secret", "no permission"));
  }
}

TEST_CASE("a written file replaces the old one and leaves nothing beside it") {
  const TemporaryFolder folder;
  const fs::path path = folder.write("out.json", "old");
  write_file_atomically(path, "new\n");
  CHECK(read_file(path, "out") == "new\n");
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a write that fails keeps the old file and names the path") {
  const TemporaryFolder folder;
  CHECK(mentions(error_message([&] { write_file_atomically(folder.path() / "no" / "out", "x"); }), "cannot write",
                 "no/out", "No such file"));
  fs::create_directory(folder.path() / "taken");
  CHECK(mentions(error_message([&] { write_file_atomically(folder.path() / "taken", "x"); }), "cannot write", "taken"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("what a killed process left over is neither used nor in the way") {
  const TemporaryFolder folder;
  const fs::path left = folder.write("out." + std::to_string(::getpid()) + "-0.tmp", "half");
  write_file_atomically(folder.path() / "out", "whole");
  CHECK(read_file(folder.path() / "out", "out") == "whole");
  CHECK(read_file(left, "left") == "half");
}

TEST_CASE("a folder is made with those above it; a file in the way is named") {
  const TemporaryFolder folder;
  make_folder(folder.path() / "a" / "b");
  make_folder(folder.path() / "a" / "b");
  CHECK(fs::is_directory(folder.path() / "a" / "b"));
  const fs::path file = folder.write("file", "x");
  CHECK(mentions(error_message([&] { make_folder(file); }), "cannot make the folder", "file' is a file"));
  CHECK(mentions(error_message([&] { make_folder(file / "c"); }), "file/c'", "file' is a file"));
  fs::create_symlink("nowhere", folder.path() / "dangling");
  for (const char* name : {"dangling", "dangling/below"})
    CHECK(mentions(error_message([&] { make_folder(folder.path() / name); }), "cannot make", "dangling' is a link to"));
  CHECK(mentions(error_message([] { make_folder("/proc/attnlab"); }), "cannot make", "/proc/attnlab", "No such file"));
  CHECK(mentions(error_message([] { make_folder(""); }), "cannot make"));
}

TEST_CASE("the standard library's complaints become plain") {
  const TemporaryFolder folder;
  try {
    fs::rename(folder.path() / "one", folder.path() / "two");
    FAIL("a missing file was renamed");
  } catch (const fs::filesystem_error& problem) {
    CHECK(describe(problem) == "'" + (folder.path() / "one").string() + "' and '" + (folder.path() / "two").string() +
                                   "': No such file or directory");
  }
}

}  // namespace
}  // namespace attnlab
