#include "experiments/results/curves.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "experiments/run_folder/metrics_log.h"
#include "experiments/sweep/status.h"

namespace attnlab::results {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostPoints = 160;  // of a training curve: what a picture can show

/// Means of values that come in windows of steps.
class Windows {
 public:
  explicit Windows(int64_t size) : size_(std::max<int64_t>(1, size)) {}

  void add(int64_t step, double value) {
    auto& window = windows_[(step - 1) / size_];
    window.last = std::max(window.last, step);
    window.sum += value;
    ++window.count;
  }
  Curve means() const {
    Curve curve;
    for (const auto& [index, window] : windows_) curve[window.last] = window.sum / window.count;
    return curve;
  }

 private:
  struct Window {
    int64_t last = 0;
    double sum = 0;
    int count = 0;
  };
  int64_t size_;
  std::map<int64_t, Window> windows_;
};

fs::path folder_of(const fs::path& out, const CellRun& run) {
  return out / "runs" / run.folder;
}

int64_t longest_run(const fs::path& out, const SweepResults& results) {
  int64_t steps = 0;
  for (const auto& cell : results.cells)
    for (const auto& run : cell.runs) steps = std::max(steps, sweep::read_progress(folder_of(out, run)).step);
  return steps;
}

void add_cell(const fs::path& out, const SweepResults& results, size_t index, LearningCurves& curves) {
  std::vector<Curve> train, valid;
  std::vector<Line> unfinished;
  for (const auto& run : results.cells[index].runs) {
    auto read = read_curves(folder_of(out, run), curves.window);
    if (run.record.status == run_folder::Status::completed) {
      train.push_back(std::move(read.train));
      valid.push_back(std::move(read.valid));
    } else if (!read.train.empty() || !read.valid.empty()) {
      unfinished.push_back({index, 1, fmt::format("seed {} {}", run.seed, run_folder::to_string(run.record.status)),
                            average({read.train}), average({read.valid})});
    }
  }
  if (!train.empty()) curves.lines.push_back({index, train.size(), "", average(train), average(valid)});
  std::move(unfinished.begin(), unfinished.end(), std::back_inserter(curves.lines));
}

}  // namespace

RunCurves read_curves(const fs::path& folder, int64_t window) {
  RunCurves curves;
  Windows train(window);
  run_folder::read_metrics(folder, [&](const run_folder::MetricsEntry& entry) {
    if (const auto loss = entry.number("loss")) train.add(entry.step, *loss);
    if (const auto loss = entry.number("valid_loss")) curves.valid[entry.step] = *loss;
  });
  curves.train = train.means();
  return curves;
}

MeanCurve average(const std::vector<Curve>& curves) {
  MeanCurve result;
  if (curves.empty()) return result;
  for (const auto& [step, first] : curves.front()) {
    double sum = 0, low = first, high = first;
    const bool everywhere = std::all_of(curves.begin(), curves.end(), [&, &at = step](const Curve& curve) {
      const auto found = curve.find(at);
      if (found == curve.end()) return false;
      sum += found->second;
      low = std::min(low, found->second);
      high = std::max(high, found->second);
      return true;
    });
    if (!everywhere) continue;
    result.steps.push_back(step);
    result.mean.push_back(sum / static_cast<double>(curves.size()));
    result.low.push_back(low);
    result.high.push_back(high);
  }
  return result;
}

LearningCurves collect_curves(const fs::path& out, const SweepResults& results) {
  LearningCurves curves;
  curves.window = std::max<int64_t>(1, (longest_run(out, results) + kMostPoints - 1) / kMostPoints);
  for (size_t cell = 0; cell < results.cells.size(); ++cell) add_cell(out, results, cell, curves);
  return curves;
}

}  // namespace attnlab::results
