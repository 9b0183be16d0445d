#include "experiments/training/benchmark.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "experiments/training/matrix_products.h"

namespace attnlab::training {
namespace {

using Clock = std::chrono::steady_clock;

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
    for (int64_t i = 0; i < options.steps_per_round; ++i) {
      products_.push_back(products_of(steps.model_options(), steps.batch(i)));
      runner_.reserve(products_.back());
    }
    runner_.run(products_.back());
    wait_for(device_);
  }

  double time() {
    const auto start = Clock::now();
    for (const auto& products : products_) runner_.run(products);
    wait_for(device_);
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  double operations() const {
    double sum = 0;
    for (const auto& of_step : products_)
      for (const Product& product : of_step) sum += product.operations();
    return sum;
  }

 private:
  torch::Device device_;
  ProductRunner runner_;
  std::vector<std::vector<Product>> products_;
};

}  // namespace

BenchmarkResult benchmark(const BenchmarkOptions& options) {
  TimedSteps worker(options);
  const double memory = peak_mib();  // before the products take theirs
  Products products(worker, options);
  const auto tokens = static_cast<double>(worker.tokens(options.steps_per_round));
  std::vector<double> steps, bounds, ratios;
  for (int64_t round = 0; round < options.rounds; ++round) {
    steps.push_back(tokens / worker.time(options.steps_per_round));
    bounds.push_back(tokens / products.time());
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
  result.operations_per_second = products.operations() / tokens * result.tokens_per_second;
  result.loss = worker.loss();
  result.parameters = worker.parameters();
  result.peak_mib = memory;
  return result;
}

}  // namespace attnlab::training
