#pragma once
/// The report of a sweep: `report.html`, one page that needs nothing outside itself, and `figures/*.svg`.

#include <filesystem>

namespace attnlab::results {

struct ReportOptions {
  bool sentence_tests = true;  ///< compare translations with the baseline's (sentence_tests.h)
  int threads = 1;             ///< for these tests; changes the time only
};

/// Reads the sweep in `out` and writes its page and its pictures there, each atomically. Gives the page's path. Throws
/// attnlab::Error if `out` holds no sweep, a record is damaged, or a file cannot be written.
std::filesystem::path write_report(const std::filesystem::path& out, const ReportOptions& options = {});

}  // namespace attnlab::results
