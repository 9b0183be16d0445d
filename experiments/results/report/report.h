#pragma once
/// The report of a sweep: `report.html`, one page that needs nothing outside itself, and `figures/*.svg`.

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/page/svg.h"
#include "experiments/results/layout.h"

namespace attnlab::results {

/// What a study (`attnlab compare`) found in a sweep: a section of its page.
struct StudySection {
  struct Picture {
    std::string file;  ///< its name in the sweep's folder
    std::string caption;
    page::Svg svg;
  };
  TableLayout table;
  std::vector<std::string> findings;  ///< sentences
  std::vector<Picture> pictures;
};

struct ReportOptions {
  bool sentence_tests = true;           ///< compare translations with the baseline's (sentence_tests.h)
  int threads = 1;                      ///< for these tests; changes the time only
  const StudySection* study = nullptr;  ///< null: the sweep is no study
};

/// Reads the sweep in `out` and writes its page and its pictures there, each atomically. Gives the page's path. Throws
/// attnlab::Error if `out` holds no sweep, or a file cannot be written.
std::filesystem::path write_report(const std::filesystem::path& out, const ReportOptions& options = {});

}  // namespace attnlab::results
