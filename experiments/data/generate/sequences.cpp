#include "experiments/data/generate/sequences.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "support/error.h"

namespace attnlab::data {
namespace {

void require_between(std::string_view key, int64_t value, int64_t low, int64_t high) {
  if (value < low || value > high)
    throw Error(fmt::format("data.{}: {} to {} is possible, {} was given", key, low, high, value));
}

void check(const spec::DataConfig& config) {
  require_between("symbols", config.symbols, 1, 100'000);
  require_between("min_length", config.min_length, 1, 10'000);
  require_between("max_length", config.max_length, config.min_length, 10'000);
}

}  // namespace

std::vector<int64_t> draw_sequence(const spec::DataConfig& config, Random& random) {
  const auto lengths = static_cast<size_t>(config.max_length - config.min_length + 1);
  std::vector<int64_t> numbers(static_cast<size_t>(config.min_length) + random.below(lengths));
  for (int64_t& number : numbers) number = static_cast<int64_t>(random.below(static_cast<size_t>(config.symbols))) + 1;
  return numbers;
}

double count_sequences(const spec::DataConfig& config) {
  check(config);
  double count = 0;
  for (int64_t length = config.min_length; length <= config.max_length; ++length)
    count += std::pow(static_cast<double>(config.symbols), static_cast<double>(length));
  return count;
}

double count_multisets(const spec::DataConfig& config) {
  check(config);
  // Of length l: binomial(symbols + l - 1, l), by its logarithm.
  double count = 0;
  for (int64_t length = config.min_length; length <= config.max_length; ++length) {
    const auto l = static_cast<double>(length), k = static_cast<double>(config.symbols);
    count += std::round(std::exp(std::lgamma(k + l) - std::lgamma(l + 1) - std::lgamma(k)));
  }
  return count;
}

Sentence apply_order(const std::vector<int64_t>& numbers, const std::vector<int>& order) {
  Sentence sentence;
  std::vector<int64_t> target;
  for (size_t i = 0; i < order.size(); ++i) {
    target.push_back(numbers[static_cast<size_t>(order[i])]);
    sentence.gold.alignment.emplace_back(order[i], static_cast<int>(i));
  }
  std::sort(sentence.gold.alignment.begin(), sentence.gold.alignment.end());
  sentence.source = fmt::format("{}", fmt::join(numbers, " "));
  sentence.target = fmt::format("{}", fmt::join(target, " "));
  return sentence;
}

std::vector<Sentence> none_always_tested() {
  return {};
}

}  // namespace attnlab::data
