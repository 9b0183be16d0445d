// What the pages name is there: files, headings, keys of the spec, test cases.

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/spec/describe.h"
#include "experiments/spec/plan.h"
#include "support/files.h"
#include "tests/support/catch.h"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

fs::path root() {
  return fs::path(ATTNLAB_TESTS_DIR).parent_path();
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  for (const char* folder : {"", "docs", "benchmarks"}) {
    for (const auto& entry : fs::directory_iterator(root() / folder)) {
      if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
  }
  return found;
}

/// The text without its blocks of code, in which nothing is a link or a heading.
std::string prose(const fs::path& page) {
  std::istringstream lines(read_file(page, "the page"));
  std::string text;
  bool code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) code = !code;
    if (!code) text += line + '\n';
  }
  return text;
}

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

/// Headings as links name them: lower case, blanks to hyphens, other punctuation dropped.
std::set<std::string> anchors(const fs::path& page) {
  static const std::regex heading("(^|\n)#+ ([^\n]+)");
  const std::string text = prose(page);
  std::set<std::string> found;
  for (const auto& match : matches(text, heading)) {
    std::string anchor;
    for (const char letter : match[2].str()) {
      const auto byte = static_cast<unsigned char>(letter);
      if (std::isalnum(byte) || letter == '_' || letter == '-' || byte >= 0x80) {
        anchor += static_cast<char>(std::tolower(byte));
      } else if (letter == ' ') {
        anchor += '-';
      }
    }
    found.insert(anchor);
  }
  return found;
}

}  // namespace

TEST_CASE("Every link of a page leads to a file and to a heading that are there") {
  static const std::regex link(R"(\]\(([^)#\s]*)(#([^)\s]+))?\))");
  for (const fs::path& page : pages()) {
    const std::string text = prose(page);
    for (const auto& match : matches(text, link)) {
      const std::string target = match[1];
      if (target.find("://") != std::string::npos) continue;
      const fs::path file = target.empty() ? page : page.parent_path() / target;
      CAPTURE(page.string(), match.str());
      CHECK(fs::exists(file));
      if (match[3].matched && file.extension() == ".md" && fs::exists(file)) CHECK(anchors(file).count(match[3]) == 1);
    }
  }
}

TEST_CASE("Every key of the spec that a page names exists") {
  static const std::regex key(
      R"(`(?:ABLATE )?((?:data|tokenizer|model|training|decoding|evaluation|inspection)(?:\.[a-z_]+)+)[`=])");
  spec::RunConfig config;
  const spec::Table table = spec::describe(config);
  std::set<std::string> known;
  for (const std::string& path : table.all_paths()) known.insert(path);
  for (const fs::path& page : pages()) {
    const std::string text = prose(page);
    for (const auto& match : matches(text, key)) {
      CAPTURE(page.string(), match.str());
      const std::string path = match[1];
      CHECK((known.count(path) == 1 || table.is_group(path) || table.find_shorthand(path) != nullptr));
    }
  }
}

TEST_CASE("Every test that the page on the paper quotes stands in the file it links") {
  static const std::regex quoted(R"rx(\[\w+_test\]\(([^)]+)\)((?:,? "[^"]+(?=")")+))rx");
  static const std::regex name(R"rx("([^"]+)")rx");
  const fs::path page = root() / "docs/paper.md";
  const std::string text = prose(page);
  const auto found = matches(text, quoted);
  CHECK(found.size() >= 15);
  for (const auto& match : found) {
    const std::string source = read_file(page.parent_path() / match[1].str(), "the test"), names = match[2];
    for (const auto& test : matches(names, name)) {
      CAPTURE(match[1].str(), test[1].str());
      CHECK(source.find('"' + test[1].str() + '"') != std::string::npos);
    }
  }
}

TEST_CASE("Every ablation that the page on the paper proposes can be run") {
  static const std::regex ablation("`ABLATE ([a-z_.]+=[^`]+)`");
  const std::string page = prose(root() / "docs/paper.md");
  const auto proposed = matches(page, ablation);
  CHECK(proposed.size() > 10);
  for (const auto& match : proposed) {
    const std::string axis = match[1].str();
    INFO(axis);
    const auto runs = spec::plan_runs(spec::read_sweep_spec(root() / "specs/base.json", {{}, {axis}}));
    const auto values = static_cast<size_t>(std::count(axis.begin(), axis.end(), ',')) + 1;
    CHECK(runs.size() == 5 * values);
    for (const auto& run : runs) CHECK(run.problems.empty());
  }
}

}  // namespace attnlab
