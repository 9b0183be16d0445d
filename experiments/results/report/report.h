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

/// Names, in a sweep's folder, of the results and the page of most sweeps.
std::vector<std::string> result_names();

/// Reads the sweep in `out` and writes its page and its pictures there, each atomically; pictures of an earlier report
/// that are no longer drawn are removed. Gives the page's path. Throws attnlab::Error if `out` holds no sweep, or a
/// file cannot be written, or one that is not the sweep's own (own_files.h) is in the way.
std::filesystem::path write_report(const std::filesystem::path& out, const ReportOptions& options = {});

}  // namespace attnlab::results
