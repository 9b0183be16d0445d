#pragma once
/// `metrics.jsonl`: what a training said, one JSON object a line, for each step and each validation of a run.
///
///   {"step":7,"steps":600,"epoch":1,"loss":2.1,"learning_rate":0.001,"target_tokens":812,"tokens_per_second":9000.0}
///   {"step":100,"steps":600,"valid_loss":1.9,"valid_perplexity":6.7,"best":true}
///
/// A line without a step, from 1 on, is none: one that was cut by a kill or is just being written, or that somebody
/// else put there. Every reader passes over it.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "support/json.h"

namespace attnlab::run_folder {

/// One line.
struct MetricsEntry {
  int64_t step = 0;
  Json values;  ///< the whole object

  /// The number under `key`; nothing if there is none, as where it was not finite.
  std::optional<double> number(const char* key) const;
};

/// Hears of each line, in their order.
using TakeEntry = std::function<void(const MetricsEntry&)>;

/// Reads `folder`/metrics.jsonl. A log that is not there has no lines.
void read_metrics(const std::filesystem::path& folder, const TakeEntry& take);

/// The same for the last lines alone, about a dozen.
void read_latest_metrics(const std::filesystem::path& folder, const TakeEntry& take);

/// Appends to the log of one run. A resumed run first takes back the lines of steps that it will do again, so that
/// every step stands there once.
class MetricsLog {
 public:
  /// Opens `folder`/metrics.jsonl, keeping the lines of steps before `first_step`. Throws attnlab::Error if the file
  /// cannot be written.
  MetricsLog(const std::filesystem::path& folder, int64_t first_step);

  /// Writes one line at once; `entry` has a "step". Throws attnlab::Error.
  void write(const Json& entry);

 private:
  std::filesystem::path path_;
  std::ofstream out_;
};

}  // namespace attnlab::run_folder
