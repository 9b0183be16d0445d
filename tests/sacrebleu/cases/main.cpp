// sacrebleu_cases FILE.json...: compares the library and the command with what the Python original gave. Any of the
// five forms of case file is taken; each difference is named; the last line is "N passed, N failed"; the exit code is 1
// when a case failed.

#include <cstdlib>
#include <fstream>

#include "tests/sacrebleu/cases/run_cases.h"

namespace sacrebleu::cases {
namespace {

void run_file(const std::filesystem::path& path, Report& report) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  const Json content = Json::parse(file);
  if (content.is_object() && content.contains("expected")) return run_text_cases(content, path.parent_path(), report);
  if (!content.is_array() || content.empty()) throw std::runtime_error(path.string() + " holds no cases");
  const Json& first = content.front();
  if (first.contains("argv")) return run_command_cases(content, report);
  if (first.contains("tests")) return run_significance_cases(content, report);
  if (first.contains("hyps")) return run_metric_cases(content, report);
  if (first.contains("num_edits")) return run_ter_cases(content, report);
  throw std::runtime_error(path.string() + " has none of the five forms of case file");
}

}  // namespace
}  // namespace sacrebleu::cases

int main(int argc, char* argv[]) {
  std::vector<std::filesystem::path> files(argv + std::min(argc, 1), argv + argc);
  if (files.size() == 2 && files.front() == "--shared") {
    const char* shared = std::getenv("ATTNLAB_SHARED");
    const auto file = std::filesystem::path(shared == nullptr ? "" : shared) / files.back();
    if (shared == nullptr || !std::filesystem::exists(file)) {
      std::cout << "skipped: ATTNLAB_SHARED names no folder with " << files.back().string() << '\n';
      return 77;
    }
    files = {file};
  }
  if (files.empty()) {
    std::cerr << "usage: sacrebleu_cases FILE.json... | --shared FILE.json\n";
    return 2;
  }
  sacrebleu::cases::Report report;
  try {
    for (const auto& file : files) sacrebleu::cases::run_file(file, report);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return report.end();
}
