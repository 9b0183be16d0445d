#include "experiments/training/benchmark.h"

#include <algorithm>
#include <vector>

#include "experiments/training/matrix_products.h"
#include "support/clock.h"

namespace attnlab::training {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The matrix products of the same steps.
class Products {
 public:
  Products(const TimedSteps& steps, const BenchmarkOptions& options)
      : device_(steps.device()), runner_(options.precision == Precision::bf16 ? at::kBFloat16 : at::kFloat, device_) {
    for (int64_t i = 0; i < options.rounds * options.steps_per_round; ++i) {
      products_.push_back(products_of(steps.model_options(), steps.batch(i)));
      runner_.reserve(products_.back());
    }
  }

  /// Seconds of those of `count` steps from number `first` on, the second time: oneDNN compiles for each new shape.
  double time(int64_t first, int64_t count) {
    run(first, count);
    const auto start = Clock::now();
    run(first, count);
    return seconds_since(start);
  }

  /// Of all steps.
  double operations() const {
    double sum = 0;
    for (const auto& of_step : products_)
      for (const Product& product : of_step) sum += product.operations();
    return sum;
  }

 private:
  void run(int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; ++i) runner_.run(products_[static_cast<size_t>(i)]);
    wait_for(device_);
  }

  torch::Device device_;
  ProductRunner runner_;
  std::vector<std::vector<Product>> products_;
};

}  // namespace

BenchmarkResult benchmark(const BenchmarkOptions& options) {
  TimedSteps worker(options);
  const double memory = peak_mib();  // before the products take theirs
  Products products(worker, options);
  std::vector<double> steps, bounds, ratios;
  for (int64_t round = 0; round < options.rounds; ++round) {
    const int64_t count = options.steps_per_round, first = round * count;
    const auto tokens = static_cast<double>(worker.tokens(first, count));
    steps.push_back(tokens / worker.time(first, count));
    bounds.push_back(tokens / products.time(first, count));
    ratios.push_back(steps.back() / bounds.back());
  }
  BenchmarkResult result;
  result.tokens_per_second = median(steps);
  result.slowest = *std::min_element(steps.begin(), steps.end());
  result.fastest = *std::max_element(steps.begin(), steps.end());
  result.products_per_second = median(bounds);
  result.ratio = median(ratios);
  result.lowest_ratio = *std::min_element(ratios.begin(), ratios.end());
  result.highest_ratio = *std::max_element(ratios.begin(), ratios.end());
  const int64_t measured = options.rounds * options.steps_per_round;
  result.operations_per_second =
      products.operations() / static_cast<double>(worker.tokens(0, measured)) * result.tokens_per_second;
  result.loss = worker.loss();
  result.parameters = worker.parameters();
  result.peak_mib = memory;
  return result;
}

}  // namespace attnlab::training
