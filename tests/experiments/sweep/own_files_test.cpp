#include "experiments/sweep/own_files.h"

#include "experiments/sweep/manifest.h"
#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;
using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

/// A sweep's folder with a place for pictures.
struct Folder {
  Folder() { fs::create_directories(path() / "figures"); }
  const fs::path& path() const { return folder.path(); }
  void put(const std::string& name, const std::string& text) const { folder.write(name, text); }
  std::string text(const std::string& name) const { return read_file(path() / name, name); }
  bool has(const std::string& name) const { return fs::exists(fs::symlink_status(path() / name)); }

  TemporaryFolder folder;
};

TEST_CASE("Own files are written again, others are not", "[own_files]") {
  const Folder folder;
  folder.put("table.md", "mine");
  OwnFiles(folder.path()).write("results.csv", "first");
  OwnFiles files(folder.path());
  files.write("results.csv", "second");
  CHECK(folder.text("results.csv") == "second");
  CHECK(mentions(error_message([&] { files.write("table.md", "table"); }), "table.md'", "attnlab did not write",
                 "move it away"));
  CHECK(folder.text("table.md") == "mine");
  fs::create_symlink(folder.path() / "nowhere", folder.path() / "report.html");
  CHECK(mentions(error_message([&] { files.write("report.html", "page"); }), "report.html'"));
  fs::remove(folder.path() / "table.md");
  files.write("table.md", "table");
  CHECK(OwnFiles(folder.path()).owns("table.md"));
}

TEST_CASE("Only own files that are not asked for again are removed", "[own_files]") {
  const Folder folder;
  folder.put("figures/mine.svg", "mine");
  folder.put("figures/interaction-my-notes.svg", "mine");
  OwnFiles first(folder.path());
  for (const char* name : {"figures/a.svg", "figures/b.svg", "figures/c.svg", "figures.md"}) first.write(name, "own");
  fs::remove(folder.path() / "figures/c.svg");
  fs::create_directories(folder.path() / "figures/c.svg/full");
  OwnFiles(folder.path()).keep_only("figures", {"figures/a.svg"});
  CHECK(folder.has("figures/a.svg"));
  CHECK(folder.has("figures.md"));
  CHECK_FALSE(folder.has("figures/b.svg"));
  CHECK(folder.has("figures/c.svg/full"));
  CHECK(folder.text("figures/mine.svg") == "mine");
  CHECK(folder.text("figures/interaction-my-notes.svg") == "mine");
  // What was removed is no longer own: a person may take the name.
  folder.put("figures/b.svg", "mine");
  OwnFiles later(folder.path());
  CHECK(later.owns("figures/a.svg"));
  CHECK_FALSE(later.owns("figures/b.svg"));
  later.keep_only("figures", {});
  CHECK(folder.text("figures/b.svg") == "mine");
}

TEST_CASE("A sweep of a version without lists goes on with its names", "[own_files]") {
  const Folder folder;
  write_manifest(folder.path(), Manifest{});
  for (const char* name :
       {"results.csv", "figures/effects.svg", "figures/published-test.bleu.svg", "figures/mine.svg", "mine.csv"})
    folder.put(name, "old");
  for (int start = 0; start < 2; ++start) {
    OwnFiles files(folder.path());
    files.write("results.csv", "new");
    files.write("figures/published-test.bleu.svg", "new");
    files.keep_only("figures", {"figures/published-test.bleu.svg"});
  }
  CHECK(folder.text("results.csv") == "new");
  CHECK(folder.text("figures/published-test.bleu.svg") == "new");
  CHECK_FALSE(folder.has("figures/effects.svg"));
  CHECK(folder.text("figures/mine.svg") == "old");
  CHECK(folder.text("mine.csv") == "old");
}

TEST_CASE("Whether names are free is asked without a trace", "[own_files]") {
  const Folder folder;
  CHECK_NOTHROW(require_own(folder.path() / "nowhere", {"table.md"}));
  CHECK_NOTHROW(require_own(folder.path(), {"table.md"}));
  CHECK_FALSE(folder.has(".written"));
  OwnFiles(folder.path()).write("table.md", "own");
  folder.put("table.tex", "mine");
  CHECK_NOTHROW(require_own(folder.path(), {"results.csv", "table.md"}));
  CHECK(mentions(error_message([&] { require_own(folder.path(), {"table.md", "table.tex"}); }), "table.tex'"));
}

TEST_CASE("Files of other programs are no lists and no manifests", "[own_files]") {
  const Folder folder;
  folder.put("manifest.json", R"({"name": "a web application"})");
  CHECK(mentions(error_message([&] { require_own(folder.path(), {"table.md"}); }), "manifest.json",
                 "not a list of runs"));
  CHECK(mentions(error_message([&] { OwnFiles{folder.path()}; }), "manifest.json", "not a list of runs"));
  folder.put(".written", "mine\n");
  CHECK(mentions(error_message([&] { OwnFiles{folder.path()}; }), ".written'", "is no list"));
  CHECK(folder.text(".written") == "mine\n");
}

}  // namespace
}  // namespace attnlab::sweep
