#include "support/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab {
namespace {

namespace fs = std::filesystem;
using tests::mentions;
using tests::TemporaryFolder;

std::string refusal(const fs::path& path, Replace replace, const std::vector<fs::path>& inputs = {}) {
  return tests::error_message([&] { require_writable(path, replace, inputs); });
}

TEST_CASE("a file that is there is written over only on demand") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("file", "x");
  CHECK_NOTHROW(require_writable(folder.path() / "new", Replace::no));
  CHECK(mentions(refusal(file, Replace::no), "'" + file.string() + "'", "there already", "--replace"));
  CHECK_NOTHROW(require_writable(file, Replace::yes));
}

TEST_CASE("a link is never written over, wherever it leads") {
  const TemporaryFolder folder;
  folder.write("file", "x");
  for (const char* target : {"file", "nowhere", "/dev/null"}) {
    const fs::path link = folder.path() / "link";
    fs::remove(link);
    fs::create_symlink(target, link);
    INFO(target);
    CHECK(mentions(refusal(link, Replace::yes), "'" + link.string() + "'", "it is a link"));
  }
}

TEST_CASE("an input is never written over, by whatever name") {
  const TemporaryFolder folder;
  const fs::path input = folder.write("input", "x");
  fs::create_symlink(input, folder.path() / "link");
  fs::create_hard_link(input, folder.path() / "hard");
  for (const char* name : {"input", "./input", "link", "hard"}) {
    INFO(name);
    CHECK(mentions(refusal(folder.path() / name, Replace::yes, {"-", folder.path() / "gone", input}), "it is the input",
                   input.string()));
  }
}

TEST_CASE("folders, devices and pipes are no place for a file") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK(mentions(refusal(folder.path(), Replace::yes), "it is a folder"));
  CHECK(mentions(refusal(folder.path() / "pipe", Replace::yes), "no regular file"));
  CHECK(mentions(refusal("/dev/null", Replace::yes), "no regular file"));
  CHECK(mentions(refusal(folder.path() / "no" / "file", Replace::no), "no folder"));
  CHECK(mentions(refusal(folder.write("file", "x") / "below", Replace::no), "file' is a file"));
  if (::geteuid() == 0) {
    WARN("skipped: root may write everywhere");
    return;
  }
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(mentions(refusal(folder.path() / "new", Replace::no), "Permission denied"));
  fs::permissions(folder.path(), fs::perms::owner_all);
}

}  // namespace
}  // namespace attnlab
