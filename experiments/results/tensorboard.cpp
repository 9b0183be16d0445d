#include "experiments/results/tensorboard.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <utility>

#include "experiments/results/collect.h"
#include "experiments/results/event_file.h"
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

double number_at(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_number() ? found->get<double>() : std::nan("");
}

/// The events of one run; only the version's if it has logged nothing.
class Events {
 public:
  explicit Events(double start) : time_(start), text_(tfrecord(version_event(start))) {}

  void add_log(const fs::path& path) {
    std::ifstream log(path, std::ios::binary);
    for (std::string line; std::getline(log, line);) {
      const Json entry = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (!entry.is_object() || !std::isfinite(number_at(entry, "step"))) continue;
      step_ = static_cast<int64_t>(number_at(entry, "step"));
      const double took = number_at(entry, "target_tokens") / number_at(entry, "tokens_per_second");
      if (std::isfinite(took)) time_ += took;
      for (const auto& [key, tag] : kTags) add(tag, number_at(entry, key));
    }
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
      events.add_log(out / "runs" / run.folder / "metrics.jsonl");
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
