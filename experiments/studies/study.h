#pragma once
/// What the two studies share. A study is an ordinary sweep whose spec it writes, with probes, and a comparison drawn
/// from its folder.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/results/report/report.h"
#include "experiments/run_folder/record.h"
#include "experiments/spec/variants.h"
#include "support/json.h"

namespace attnlab::studies {

/// What the command line says of any study.
struct StudyOptions {
  std::string spec;              ///< a sweep's spec to build on; empty: the study's own
  int64_t seeds = 0;             ///< 1 to so many; 0: those of the spec
  std::vector<std::string> set;  ///< `key=value`, as for `attnlab run --set`
};

/// One thing that a study varies.
struct StudyAxis {
  std::string key;           ///< dotted path
  std::vector<Json> values;  ///< the first is the baseline
  bool is_baseline = false;  ///< cells are compared with the one that has the first value
};

/// The spec of a study: that of `options` (or `standard`), with the axes in front of its grid, the probes added to its
/// own, and the first values as baseline. Throws attnlab::Error if the spec varies or fixes one of the keys itself.
Json study_spec(Json standard, const StudyOptions& options, const std::vector<StudyAxis>& axes,
                const std::vector<std::string>& probes);

/// Names as values of an axis. Throws attnlab::Error that begins with `option` for an unknown name, with the nearest
/// one, for a name that stands twice, and for fewer than `least`.
std::vector<Json> axis_of_names(const std::vector<std::string>& names, const std::vector<spec::Choice>& known,
                                const std::string& option, size_t least);

/// What a study writes beside the results of its sweep.
struct StudyReport {
  Json document = Json::object();  ///< comparison.json
  results::StudySection section;   ///< of the sweep's page; its pictures are files, too

  /// comparison.md, and what is printed: the table and the findings.
  std::string text() const;
};

/// Writes comparison.json, comparison.md and the pictures into `out`, each atomically. Throws attnlab::Error where a
/// file that is not the sweep's own is in the way.
void write_study(const std::filesystem::path& out, const StudyReport& report);

/// `read()`; what it finds missing or of another type in the probes of `out` is an attnlab::Error for a person.
StudyReport of_sound_probes(const std::filesystem::path& out, const std::function<StudyReport()>& read);

// What the reports read.

/// `folder/probes/<name>.json`, or null if the run did not get that far.
Json read_probe(const std::filesystem::path& run_folder, const std::string& name);

/// Step and validation loss of each validation in `folder/metrics.jsonl`; NaN where the loss is not finite.
std::vector<std::pair<int64_t, double>> validation_losses(const std::filesystem::path& run_folder);

/// The first step whose validation loss is at most `target`; nothing if none is.
std::optional<int64_t> first_step_below(const std::vector<std::pair<int64_t, double>>& losses, double target);

/// Averages of curves over seeds: x -> the values there.
class SeedMeans {
 public:
  void add(double x, double value);  ///< values that are not finite are left out
  std::vector<std::pair<double, double>> points() const;

 private:
  std::map<double, std::pair<double, int>> sums_;
};

/// `value` of a JSON number, NaN for everything else.
double number_of(const Json& value);

}  // namespace attnlab::studies
