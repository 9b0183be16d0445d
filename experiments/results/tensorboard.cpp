#include "experiments/results/tensorboard.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>

#include "experiments/results/collect.h"
#include "experiments/results/event_file.h"
#include "experiments/run_folder/metrics_log.h"
#include "support/files.h"

namespace attnlab::results {
namespace {

namespace fs = std::filesystem;

/// Keys of metrics.jsonl and their tags.
constexpr std::array<std::pair<const char*, const char*>, 7> kTags = {{{"loss", "loss/train"},
                                                                       {"valid_loss", "loss/valid"},
                                                                       {"valid_perplexity", "perplexity/valid"},
                                                                       {"valid_bleu", "bleu/valid"},
                                                                       {"learning_rate", "learning_rate"},
                                                                       {"gradient_norm", "gradient_norm"},
                                                                       {"tokens_per_second", "tokens_per_second"}}};

/// Seconds since 1970 of "2026-11-30T03:43:30Z"; 0 for what is no such time.
double seconds_of(const std::string& time) {
  std::tm parts{};
  if (std::sscanf(time.c_str(), "%d-%d-%dT%d:%d:%d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour,
                  &parts.tm_min, &parts.tm_sec) != 6)
    return 0;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return static_cast<double>(timegm(&parts));
}

/// The events of one run; only the version's if it has logged nothing.
class Events {
 public:
  explicit Events(double start) : time_(start), text_(tfrecord(version_event(start))) {}

  void add_log(const fs::path& run) {
    run_folder::read_metrics(run, [this](const run_folder::MetricsEntry& entry) { add_entry(entry); });
  }
  void add_scores(const run_folder::RunRecord& record) {
    for (const auto& [name, value] : record.metrics) {
      const size_t dot = name.find('.');
      add(dot == std::string::npos ? name : name.substr(0, dot) + "/" + name.substr(dot + 1), value);
    }
  }
  bool empty() const { return count_ == 0; }
  const std::string& text() const { return text_; }

 private:
  void add_entry(const run_folder::MetricsEntry& entry) {
    step_ = entry.step;
    const auto tokens = entry.number("target_tokens"), speed = entry.number("tokens_per_second");
    if (tokens && speed && *speed > 0) time_ += *tokens / *speed;
    for (const auto& [key, tag] : kTags)
      if (const auto value = entry.number(key)) add(tag, *value);
  }
  void add(const std::string& tag, double value) {
    if (!std::isfinite(value)) return;
    text_ += tfrecord(scalar_event(time_, step_, tag, value));
    ++count_;
  }

  double time_;
  int64_t step_ = 0;
  size_t count_ = 0;
  std::string text_;
};

}  // namespace

size_t export_tensorboard(const fs::path& out, const fs::path& folder) {
  size_t runs = 0;
  for (const auto& cell : collect(out).cells) {
    for (const auto& run : cell.runs) {
      Events events(seconds_of(run.record.started));
      events.add_log(out / "runs" / run.folder);
      if (run.record.status == run_folder::Status::completed) events.add_scores(run.record);
      if (events.empty()) continue;
      make_folder(folder / run.folder);
      write_file_atomically(folder / run.folder / "events.out.tfevents.0.attnlab", events.text());
      ++runs;
    }
  }
  return runs;
}

}  // namespace attnlab::results
