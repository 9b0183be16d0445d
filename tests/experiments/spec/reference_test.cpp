#include "experiments/spec/reference.h"

#include <filesystem>

#include "experiments/spec/describe.h"
#include "experiments/spec/sweep_spec.h"
#include "support/files.h"
#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

TEST_CASE("docs/spec.md is what the reader accepts: write it again with `attnlab spec reference > docs/spec.md`") {
  const auto path = std::filesystem::path(ATTNLAB_TESTS_DIR) / ".." / "docs" / "spec.md";
  CHECK(read_file(path, "the reference page") == reference());
}

TEST_CASE("the page has a row for every key") {
  const std::string page = reference();
  RunConfig config;
  for (const Field& field : describe(config).fields) {
    INFO(field.path);
    CHECK(page.find("| `" + field.path + "` |") != std::string::npos);
    CHECK(!field.meaning.empty());
  }
  for (const SweepKey& key : sweep_keys()) CHECK(page.find("| `" + key.name + "` |") != std::string::npos);
  CHECK(page.find("| `model.heads` | whole number | of at least 1 and at most 1000000 | `8` |") != std::string::npos);
}

TEST_CASE("the page says which keys were added later") {
  int64_t old_key = 1, new_key = 2;
  Table table;
  table.add("old", &old_key, "was always there");
  table.add("new", &new_key, "came later").added();
  const std::string page = reference(table);
  CHECK(page.find("| `old` | whole number | any | `1` | was always there |") != std::string::npos);
  CHECK(page.find("| `new` | whole number | any | `2` | came later (added later) |") != std::string::npos);
  CHECK(page.find("marked \"added later\" is left out of that hash while it has its default") != std::string::npos);
}

}  // namespace
}  // namespace attnlab::spec
