#include "experiments/data/content_hash.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "experiments/spec/plan.h"
#include "tests/support/catch.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;

/// The corpus of a generator; text files are not here.
std::string content_of(const spec::RunConfig& config) {
  static std::map<std::string, std::string> known;
  if (config.data.generator.empty()) return "";
  const std::string key = fmt::format("{} {}", config.data.generator, config.data.train_pairs);
  if (!known.contains(key)) known[key] = content_hash(config.data, config.tokenizer);
  return known[key];
}

/// Spec and "<variant>-<hash>" of each cell, as `attnlab plan` named them when the list was made.
std::map<std::string, std::set<std::string>> stored_cells() {
  std::map<std::string, std::set<std::string>> cells;
  std::ifstream list(fs::path(ATTNLAB_TESTS_DIR) / "experiments/data/data/cells.txt");
  for (std::string spec, cell; list >> spec >> cell;) cells[spec].insert(cell);
  return cells;
}

// A key that is new in the table needs `Field::added`, and no default may change: the results of the past are found by
// these names. Only a spec that was itself edited on purpose gets other lines.
TEST_CASE("the cells of the delivered specs keep their hashes and the names of their folders") {
  const auto stored = stored_cells();
  REQUIRE(stored.size() == 9);
  for (const auto& [spec, cells] : stored) {
    INFO(spec);
    std::set<std::string> planned;
    for (const auto& run :
         spec::plan_runs(spec::read_sweep_spec(fs::path(ATTNLAB_TESTS_DIR) / "../specs" / spec), content_of)) {
      CHECK(run.folder == fmt::format("{}-{}/seed={}", run.variant, run.variant_hash, run.seed));
      planned.insert(fmt::format("{}-{}", run.variant, run.variant_hash));
    }
    CHECK(planned == cells);
  }
}

}  // namespace
}  // namespace attnlab::data
